//! ours
//! grid 2
//! in x = u32[0x7c00fc00, 0x7e00fe01, 0x00018001, 0x03ff8000]
//! out y = f32[-inf, inf, nan, nan, -5.9604645e-08, 5.9604645e-08, -0.0, 6.097555e-05]
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2f>;

// Infinities, NaN, subnormal numbers and the negative zero.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack2x16float(x[id.x]);
}
