//! ours
//! grid 2
//! in x = f32[0.5, -0.5, nan, inf, -inf, -0.0, 1e-45, 1, 7.629511e-06, 7.629512e-06, nan, 0, nan, 0.5, 0.011811024,
//!     -0.011811024]
//! out y = u32[0x7f00c140, 0x7f000081, 0x00000000, 0xff014000]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// The product is exact: a tie goes up, less than a tie does not. NaN is 0.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack4x8snorm(x[id.x]);
}
