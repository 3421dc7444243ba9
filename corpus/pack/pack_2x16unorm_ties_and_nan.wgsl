//! ours
//! grid 2
//! in x = f32[0.5, -0.5, nan, inf, -inf, -0.0, 1e-45, 1, 7.629511e-06, 7.629512e-06, nan, 0, nan, 0.5, 0.011811024,
//!     -0.011811024]
//! out y = u32[0x00008000, 0xffff0000, 0x00000000, 0xffff0000, 0x00010000, 0x00000000, 0x80000000, 0x00000306]
@group(0) @binding(0) var<storage> x: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// The product is exact: a tie goes up, less than a tie does not. NaN is 0.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack2x16unorm(x[id.x]);
}
