//! ours
//! grid 2
//! in a = f64[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f64[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! out y = f64[3.0413812651491097, 4.828301978956992, 5.963430220938282, 0.5] ~ 4ulp abs 1e-15
//!     f64[8.96172416446746, 9.81389321319526, 9.842509842514763, 3.5] ~ 4ulp abs 1e-15
//!     f64[8.173891362135908, 8.208227579691002, 12.937349032935611, 3.25] ~ 4ulp abs 1e-15
//!     f64[0.7211102550927978, 1.0770329614269007, 1.1874342087037917, 0.6] ~ 4ulp abs 1e-15
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage, read_write> y: array<array<f64, 4>>;

// The length of the difference.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(distance(p.xy, q.xy), distance(p.xyz, q.xyz), distance(p, q), distance(p.x, q.x));
}
