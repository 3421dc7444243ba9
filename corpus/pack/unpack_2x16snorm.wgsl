//! grid 2
//! in x = u32[0x00000000, 0xffffffff, 0x80000000, 0x7fff7f7f, 0x80017f81, 0x12345678, 0xdeadbeef, 0x00ff00ff,
//!     0x3ceb3ffd, 0x97b75092, 0x8b529b4a, 0x21636369]
//! out y = f32[0, 0, -3.051851e-05, -3.051851e-05, 0, -1, 0.99609363, 1, 0.99615467, -1, 0.67555773, 0.14221625,
//!     -0.5083468, -0.26035342, 0.00778222, 0.00778222, 0.4999237, 0.47593614, 0.62947476, -0.81475264, -0.7868282,
//!     -0.9115879, 0.77666557, 0.2608417] ~ 3ulp
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2f>;

// x / 32767, and -1 for the least number; within 3 units in the last place.
@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack2x16snorm(x[id.x]);
}
