//! ours
//! grid 2
//! in a = f64[1, 0, 0] pad[8] f64[1, 2, 3] pad[8] f64[-1.5, 0.5, 2] pad[8] f64[0.1, 0.2, 0.3] pad[8]
//! in b = f64[0, 1, 0] pad[8] f64[4, 5, 6] pad[8] f64[2.5, -4, 1] pad[8] f64[0.6, 0.5, 0.4] pad[8]
//! out y = f64[0, 0, 1] ~ 1ulp abs 1e-16 pad[8] f64[-3, 6, -3] ~ 1ulp abs 1e-16 pad[8]
//!     f64[8.5, 6.5, 4.75] ~ 1ulp abs 1e-16 pad[8]
//!     f64[-0.06999999999999998, 0.13999999999999999, -0.06999999999999999] ~ 1ulp abs 1e-16 pad[8]
@group(0) @binding(0) var<storage> a: array<vec3<f64>>;
@group(0) @binding(1) var<storage> b: array<vec3<f64>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec3<f64>>;

// Orthogonal to both.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = cross(a[id.x], b[id.x]);
}
