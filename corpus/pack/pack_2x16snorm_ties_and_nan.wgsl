//! ours
//! grid 2
//! in x = f32[0.5, -0.5, nan, inf, -inf, -0.0, 1e-45, 1, 7.629511e-06, 7.629512e-06, nan, 0, nan, 0.5, 0.011811024,
//!     -0.011811024]
//! out y = u32[0xc0014000, 0x7fff0000, 0x00008001, 0x7fff0000, 0x00000000, 0x00000000, 0x40000000, 0xfe7d0183]
@group(0) @binding(0) var<storage> x: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// The product is exact: a tie goes up, less than a tie does not. NaN is 0.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack2x16snorm(x[id.x]);
}
