//! grid 2
//! in m2 = f64[3, 2] f64[1, 2] f64[2, -1] f64[-2, -3] f64[-2, -1] f64[-1, 3] f64[-1, 3] f64[-1, 3]
//! in m3 = f64[-2, -3, 2] pad[8] f64[0, 3, -2] pad[8] f64[-2, 2, -3] pad[8] f64[1, 1, 2] pad[8] f64[3, 2, 1] pad[8]
//!     f64[2, 0, 0] pad[8] f64[-2, 0, 0] pad[8] f64[1, 1, -2] pad[8] f64[-1, 0, -1] pad[8] f64[-3, 1, -1] pad[8]
//!     f64[-3, 1, -1] pad[8] f64[-2, -3, -1] pad[8]
//! in m4 = f64[1, 1, 1, 1] f64[-2, 0, -2, -1] f64[1, -3, 2, 3] f64[2, -1, 2, -3] f64[-3, 0, -2, 3]
//!     f64[1, -3, -1, -2] f64[3, 0, 2, 0] f64[-2, 2, 1, 3] f64[3, 0, 3, -3] f64[-3, -2, 2, -2] f64[-3, -3, -1, -2]
//!     f64[-1, 1, 3, -3] f64[1, 3, 0, 2] f64[1, 3, 0, 2] f64[-2, 2, 1, 1] f64[2, 3, 3, -3]
//! out y = f64[4, 10, -7] ~ 4ulp abs 1e-12 f64[-8, -6, -33] ~ 4ulp abs 1e-12 f64[-7, 2, -117] ~ 4ulp abs 1e-12
//!     f64[0, 0, 0] ~ 4ulp abs 1e-12
@group(0) @binding(0) var<storage> m2: array<mat2x2<f64>>;
@group(0) @binding(1) var<storage> m3: array<mat3x3<f64>>;
@group(0) @binding(2) var<storage> m4: array<mat4x4<f64>>;
@group(0) @binding(3) var<storage, read_write> y: array<array<f64, 3>>;

// Two, three and four rows; the last of each is singular.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    y[i] = array(determinant(m2[i]), determinant(m3[i]), determinant(m4[i]));
}
