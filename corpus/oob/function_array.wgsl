//! ours
//! in at = u32[0, 2, 3, 4294967295]
//! out b = u32[101106, 103106, 6, 6]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var items = array<u32, 3>(1, 2, 3);
    items[at[id.x]] += 100;
    b[id.x] = 1000 * items[at[id.x]] + items[0] + items[1] + items[2];
}
