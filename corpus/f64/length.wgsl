//! ours
//! grid 2
//! in a = f64[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! out y = f64[2.5, 4.100304866714182, 4.130677910464576, 1.5] ~ 4ulp abs 1e-15
//!     f64[4.00780488547035, 4.130677910464576, 4.589389937671455, 4] ~ 4ulp abs 1e-15
//!     f64[6.046693311223912, 6.128825336065631, 6.823672031978091, 0.75] ~ 4ulp abs 1e-15
//!     f64[0.223606797749979, 0.3741657386773941, 0.5477225575051661, 0.1] ~ 4ulp abs 1e-15
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> y: array<array<f64, 4>>;

// Of vectors, and of a scalar: its absolute value.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    y[id.x] = array(length(p.xy), length(p.xyz), length(p), length(p.x));
}
