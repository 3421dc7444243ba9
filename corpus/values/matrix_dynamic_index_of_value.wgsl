//! out b = f32[2.0, 6.0, 7.0, 2.0]
@group(0) @binding(0) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let m = mat3x3f(1, 2, 3, 4, 5, 6, 7, 8, 9);
    b[id.x] = m[id.x % 3][(id.x + 1) % 3];
}
