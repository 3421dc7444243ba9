//! ours
//! grid 2
//! in x = f32[2049, 2051, 0.1, -0.1, 65519, 65520, -1e+09, inf, nan, -inf, 6e-08, 2.9802322e-08, 2.9802326e-08,
//!     1e-08, -0.0, 1.0009764]
//! out y = u32[0x68026800, 0xae662e66, 0x7c007bff, 0x7c00fc00, 0xfc007e00, 0x00000001, 0x00000001, 0x3c018000]
@group(0) @binding(0) var<storage> x: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// Ties to even, also among the subnormal numbers; too large becomes infinite.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack2x16float(x[id.x]);
}
