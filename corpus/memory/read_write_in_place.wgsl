//! grid 2
//! in b = u32[0..8]
//! out b = u32[1, 3, 5, 7, 9, 11, 13, 15]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = b[id.x] * 2 + 1;
}
