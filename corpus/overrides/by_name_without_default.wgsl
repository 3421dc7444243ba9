//! set N = 40
//! out b = u32[40, 41, 42, 43]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override N: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = N + id.x;
}
