//! out b = u32[30, 31, 32, 33]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    const tens = 3;
    const scale = tens * 10;
    b[id.x] = scale + id.x;
}
