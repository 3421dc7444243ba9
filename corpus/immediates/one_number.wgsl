//! grid 2
//! in n = u32[3]
//! out b = u32[0, 3, 6, 9, 12, 15, 18, 21]
var<immediate> n: u32;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = id.x * n;
}
