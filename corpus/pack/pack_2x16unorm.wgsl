//! grid 2
//! in x = f32[0, 1, -1, 0.25, 0.115625, -0.084375, 0.915625, -0.884375, 2, -2, 100, -100, 0.315625, 0.6, -0.284375,
//!     -0.6, 0.01, -0.01, 0.99, -0.99, 0.125, 0.875, -0.125, -0.875, 0.2, 0.4, 0.8, 0.715625, -0.2, -0.4, -0.8,
//!     -0.684375]
//! out y = u32[0xffff0000, 0x40000000, 0x00001d99, 0x0000ea65, 0x0000ffff, 0x0000ffff, 0x999950cc, 0x00000000,
//!     0x0000028f, 0x0000fd70, 0xdfff2000, 0x00000000, 0x66663333, 0xb732cccc, 0x00000000, 0x00000000]
@group(0) @binding(0) var<storage> x: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// floor(0.5 + 65535 * x) of each, held between 0 and 1; the first in the lowest bits.
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack2x16unorm(x[id.x]);
}
