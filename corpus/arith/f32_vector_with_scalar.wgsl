//! grid 2
//! in x = f32[1, -2, 0.5] pad[4] f32[12, 3, -6] pad[4] f32[2.5, 0.625, -10] pad[4] f32[64, 1.5, -96] pad[4]
//! in y = f32[4, 6, 2.5, 3]
//! out sums = f32[5, 2, 4.5] pad[4] f32[5, 2, 4.5] pad[4] f32[18, 9, 0] pad[4] f32[18, 9, 0] pad[4]
//!     f32[5, 3.125, -7.5] pad[4] f32[5, 3.125, -7.5] pad[4] f32[67, 4.5, -93] pad[4] f32[67, 4.5, -93] pad[4]
//! out differences = f32[-3, -6, -3.5] pad[4] f32[3, 6, 3.5] pad[4] f32[6, -3, -12] pad[4] f32[-6, 3, 12] pad[4]
//!     f32[0, -1.875, -12.5] pad[4] f32[0, 1.875, 12.5] pad[4] f32[61, -1.5, -99] pad[4] f32[-61, 1.5, 99] pad[4]
//! out products = f32[4, -8, 2] pad[4] f32[4, -8, 2] pad[4] f32[72, 18, -36] pad[4] f32[72, 18, -36] pad[4]
//!     f32[6.25, 1.5625, -25] pad[4] f32[6.25, 1.5625, -25] pad[4] f32[192, 4.5, -288] pad[4] f32[192, 4.5, -288]
//!     pad[4]
//! out quotients = f32[0.25, -0.5, 0.125] ~ 3ulp pad[4] f32[4, -2, 8] ~ 3ulp pad[4] f32[2, 0.5, -1] ~ 3ulp pad[4]
//!     f32[0.5, 2, -1] ~ 3ulp pad[4] f32[1, 0.25, -4] ~ 3ulp pad[4] f32[1, 4, -0.25] ~ 3ulp pad[4]
//!     f32[21.333334, 0.5, -32] ~ 3ulp pad[4] f32[0.046875, 2, -0.03125] ~ 3ulp pad[4]
//! out remainders = f32[1, -2, 0.5] ~ 3ulp pad[4] f32[_, _, _] ~ 3ulp pad[4] f32[_, 3, _] ~ 3ulp pad[4]
//!     f32[6, _, _] ~ 3ulp pad[4] f32[_, 0.625, _] ~ 3ulp pad[4] f32[_, _, 2.5] ~ 3ulp pad[4] f32[1, 1.5, _] ~ 3ulp
//!     pad[4] f32[3, _, 3] ~ 3ulp pad[4]
@group(0) @binding(0) var<storage> x: array<vec3f>;
@group(0) @binding(1) var<storage> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<array<vec3f, 2>>;
@group(0) @binding(3) var<storage, read_write> differences: array<array<vec3f, 2>>;
@group(0) @binding(4) var<storage, read_write> products: array<array<vec3f, 2>>;
@group(0) @binding(5) var<storage, read_write> quotients: array<array<vec3f, 2>>;
@group(0) @binding(6) var<storage, read_write> remainders: array<array<vec3f, 2>>;

// The scalar goes with each component, on either side.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let s = y[i];
    sums[i] = array(v + s, s + v);
    differences[i] = array(v - s, s - v);
    products[i] = array(v * s, s * v);
    quotients[i] = array(v / s, s / v);
    remainders[i] = array(v % s, s % v);
}
