//! ours
//! in at = u32[0, 2, 3, 4294967295]
//! out b = f32[6, 24, 0, 0]
//! out c = f32[69, 51, 45, 45]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var m = mat3x3f(1, 2, 3, 4, 5, 6, 7, 8, 9);
    b[id.x] = dot(m[at[id.x]], vec3f(1));
    m[at[id.x]] = vec3f(10);
    c[id.x] = dot(m[0], vec3f(1)) + dot(m[1], vec3f(1)) + dot(m[2], vec3f(1));
}
