//! grid 2
//! in x = f32[0, 1, -2, 0.5, 65504, -65504, 0.25, 1.5, 1024, -0.125, 3.140625, 100, 6.1035156e-05, 2, -7,
//!     0.33325195]
//! out y = u32[0x3c000000, 0x3800c000, 0xfbff7bff, 0x3e003400, 0xb0006400, 0x56404248, 0x40000400, 0x3555c700]
@group(0) @binding(0) var<storage> x: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// Numbers that f16 holds exactly.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack2x16float(x[id.x]);
}
