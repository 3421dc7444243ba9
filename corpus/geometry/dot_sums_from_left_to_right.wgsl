//! ours
//! in a = f32[1e8, 1, -1e8, 1, 1, 1e8, -1e8, 1]
//! out y = f32[1, 1]
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

// 1e8 swallows a one that comes before it leaves again.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = dot(a[id.x], vec4f(1.0));
}
