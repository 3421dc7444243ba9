//! ours
//! in at = u32[0, 3, 4, 4294967295]
//! out b = u32[111, 444, 0, 0]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
const TABLE = array(1u, 2u, 3u, 4u);

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let k = at[id.x];
    let items = array(10u, 20u, 30u, 40u);
    let v = vec4u(100, 200, 300, 400);
    b[id.x] = TABLE[k] + items[k] + v[k];
}
