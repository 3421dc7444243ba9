//! grid 2
//! in x = f16[1, -2, 0.5] pad[2] f16[12, 3, -6] pad[2] f16[2.5, 0.625, -10] pad[2] f16[64, 1.5, -96] pad[2]
//! in y = f16[4, 6, 2.5, 3]
//! out sums = f16[5, 2, 4.5] pad[2] f16[5, 2, 4.5] pad[2] f16[18, 9, 0] pad[2] f16[18, 9, 0] pad[2]
//!     f16[5, 3.125, -7.5] pad[2] f16[5, 3.125, -7.5] pad[2] f16[67, 4.5, -93] pad[2] f16[67, 4.5, -93] pad[2]
//! out differences = f16[-3, -6, -3.5] pad[2] f16[3, 6, 3.5] pad[2] f16[6, -3, -12] pad[2] f16[-6, 3, 12] pad[2]
//!     f16[0, -1.875, -12.5] pad[2] f16[0, 1.875, 12.5] pad[2] f16[61, -1.5, -99] pad[2] f16[-61, 1.5, 99] pad[2]
//! out products = f16[4, -8, 2] pad[2] f16[4, -8, 2] pad[2] f16[72, 18, -36] pad[2] f16[72, 18, -36] pad[2]
//!     f16[6.25, 1.5625, -25] pad[2] f16[6.25, 1.5625, -25] pad[2] f16[192, 4.5, -288] pad[2] f16[192, 4.5, -288]
//!     pad[2]
//! out quotients = f16[0.25, -0.5, 0.125] ~ 3ulp pad[2] f16[4, -2, 8] ~ 3ulp pad[2] f16[2, 0.5, -1] ~ 3ulp pad[2]
//!     f16[0.5, 2, -1] ~ 3ulp pad[2] f16[1, 0.25, -4] ~ 3ulp pad[2] f16[1, 4, -0.25] ~ 3ulp pad[2]
//!     f16[21.33, 0.5, -32] ~ 3ulp pad[2] f16[0.04688, 2, -0.03125] ~ 3ulp pad[2]
//! out remainders = f16[1, -2, 0.5] ~ 3ulp pad[2] f16[_, _, _] ~ 3ulp pad[2] f16[_, 3, _] ~ 3ulp pad[2]
//!     f16[6, _, _] ~ 3ulp pad[2] f16[_, 0.625, _] ~ 3ulp pad[2] f16[_, _, 2.5] ~ 3ulp pad[2] f16[1, 1.5, _] ~ 3ulp
//!     pad[2] f16[3, _, 3] ~ 3ulp pad[2]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec3h>;
@group(0) @binding(1) var<storage> y: array<f16>;
@group(0) @binding(2) var<storage, read_write> sums: array<array<vec3h, 2>>;
@group(0) @binding(3) var<storage, read_write> differences: array<array<vec3h, 2>>;
@group(0) @binding(4) var<storage, read_write> products: array<array<vec3h, 2>>;
@group(0) @binding(5) var<storage, read_write> quotients: array<array<vec3h, 2>>;
@group(0) @binding(6) var<storage, read_write> remainders: array<array<vec3h, 2>>;

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
