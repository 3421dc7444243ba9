//! ours
//! in x = f32[0.1, 0.2, 0.7, 1.1]
//! out y = f32[0, 0, 0, 0]
@group(0) @binding(0) var<storage> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

// A product is rounded before it is added to: fused, these would not be zero.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = x[id.x] * 10.0 - round(x[id.x] * 10.0);
}
