//! grid 2
//! in x = f32[0, 1, -1, 0.25, 0.115625, -0.084375, 0.915625, -0.884375, 2, -2, 100, -100, 0.315625, 0.6, -0.284375,
//!     -0.6, 0.01, -0.01, 0.99, -0.99, 0.125, 0.875, -0.125, -0.875, 0.2, 0.4, 0.8, 0.715625, -0.2, -0.4, -0.8,
//!     -0.684375]
//! out y = u32[0x7fff0000, 0x20008001, 0xf5330ecd, 0x8ece7532, 0x80017fff, 0x80017fff, 0x4ccc2866, 0xb334db9a,
//!     0xfeb80148, 0x81497eb7, 0x6fff1000, 0x9001f000, 0x33331999, 0x5b996666, 0xcccde667, 0xa867999a]
@group(0) @binding(0) var<storage> x: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// floor(0.5 + 32767 * x) of each, held between -1 and 1; the first in the lowest bits.
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack2x16snorm(x[id.x]);
}
