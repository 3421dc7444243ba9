//! grid 2
//! in x = u32[0x00000000, 0xffffffff, 0x80000000, 0x7fff7f7f, 0x80017f81, 0x12345678, 0xdeadbeef, 0x00ff00ff,
//!     0x3ceb3ffd, 0x97b75092, 0x8b529b4a, 0x21636369]
//! out y = f32[0, 0, 0, 0, -0.007874016, -0.007874016, -0.007874016, -0.007874016, 0, 0, 0, -1, 1, 1, -0.007874016,
//!     1, -1, 1, 0.007874016, -1, 0.9448819, 0.6771653, 0.40944883, 0.14173229, -0.13385826, -0.51968503,
//!     -0.6535433, -0.26771653, -0.007874016, 0, -0.007874016, 0, -0.023622047, 0.496063, -0.16535433, 0.47244096,
//!     -0.86614174, 0.62992126, -0.5748032, -0.8267717, 0.5826772, -0.79527557, 0.6456693, -0.9212598, 0.8267717,
//!     0.77952754, 0.77952754, 0.25984251] ~ 3ulp
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4f>;

// x / 127, and -1 for the least number; within 3 units in the last place.
@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack4x8snorm(x[id.x]);
}
