//! out b = u32[7, 8, 9, 10]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override N = 7u;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = N + id.x;
}
