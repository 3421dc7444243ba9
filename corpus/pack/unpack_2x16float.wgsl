//! grid 2
//! in x = u32[0x3c000000, 0xc0003800, 0x7bfffbff, 0x04000400, 0x42483555, 0xbc007800, 0x00003c01, 0x50005001]
//! out y = f32[0, 1, 0.5, -2, -65504, 65504, 6.1035156e-05, 6.1035156e-05, 0.33325195, 3.140625, 32768, -1,
//!     1.0009766, 0, 32.03125, 32]
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2f>;

// Exact.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack2x16float(x[id.x]);
}
