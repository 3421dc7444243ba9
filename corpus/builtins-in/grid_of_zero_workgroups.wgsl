//! grid 0
//! in b = u32[1, 2, 3, 4]
//! out b = u32[1, 2, 3, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = 99;
}
