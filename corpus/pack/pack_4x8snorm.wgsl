//! grid 2
//! in x = f32[0, 1, -1, 0.25, 0.115625, -0.084375, 0.915625, -0.884375, 2, -2, 100, -100, 0.315625, 0.6, -0.284375,
//!     -0.6, 0.01, -0.01, 0.99, -0.99, 0.125, 0.875, -0.125, -0.875, 0.2, 0.4, 0.8, 0.715625, -0.2, -0.4, -0.8,
//!     -0.684375]
//! out y = u32[0x20817f00, 0x9074f50f, 0x817f817f, 0xb4dc4c28, 0x827eff01, 0x91f06f10, 0x5b663319, 0xa99acde7]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// floor(0.5 + 127 * x) of each, held between -1 and 1; the first in the lowest bits.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack4x8snorm(x[id.x]);
}
