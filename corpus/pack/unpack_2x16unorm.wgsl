//! grid 2
//! in x = u32[0x00000000, 0xffffffff, 0x80000000, 0x7fff7f7f, 0x80017f81, 0x12345678, 0xdeadbeef, 0x00ff00ff,
//!     0x3ceb3ffd, 0x97b75092, 0x8b529b4a, 0x21636369]
//! out y = f32[0, 0, 1, 1, 0, 0.5000076, 0.49803922, 0.49999237, 0.49806973, 0.5000229, 0.3377737, 0.071107045,
//!     0.74584574, 0.86984056, 0.0038910506, 0.0038910506, 0.24995804, 0.23796445, 0.31473258, 0.59264517,
//!     0.60660714, 0.54422826, 0.38832685, 0.13041887] ~ 3ulp
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2f>;

// x / 65535; within 3 units in the last place.
@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack2x16unorm(x[id.x]);
}
