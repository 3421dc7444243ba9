//! ours
//! in a = f32[1e30, 1e30, 1e-30, 0, 0, 0]
//! out long = f32[inf, 0, 0]
//! out unit = f32[0, 0, inf, nan, nan, nan]
@group(0) @binding(0) var<storage> a: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> long: array<f32>;
@group(0) @binding(2) var<storage, read_write> unit: array<vec2f>;

// length is sqrt(dot(v, v)) and nothing cleverer; normalize divides by it.
@compute @workgroup_size(3)
fn main(@builtin(global_invocation_id) id: vec3u) {
    long[id.x] = length(a[id.x]);
    unit[id.x] = normalize(a[id.x]);
}
