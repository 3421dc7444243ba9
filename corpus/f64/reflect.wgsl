//! ours
//! grid 2
//! in a = f64[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f64[1, 0, 0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0.5, 0.5, 0.5, 0.5]
//! out y = f64[-1.5, -2] ~ 4ulp abs 1e-15 pad[16] f64[-1.5, -2, 3.25] ~ 4ulp abs 1e-15 pad[8]
//!     f64[-1.5, -2, 3.25, 0.5] ~ 4ulp abs 1e-15 f64[4, -0.25] ~ 4ulp abs 1e-15 pad[16]
//!     f64[4, -0.25, -1] ~ 4ulp abs 1e-15 pad[8] f64[4, -0.25, -1, 2] ~ 4ulp abs 1e-15
//!     f64[-5.97, -0.9600000000000009] ~ 4ulp abs 1e-15 pad[16] f64[-5.97, -0.9600000000000009, 1] ~ 4ulp abs 1e-15
//!     pad[8] f64[-5.97, -0.9600000000000009, 1, -3] ~ 4ulp abs 1e-15 f64[-0.05, 0.05] ~ 4ulp abs 1e-15 pad[16]
//!     f64[-0.2, -0.09999999999999999, -1.3877787807814457e-17] ~ 4ulp abs 1e-15 pad[8]
//!     f64[-0.4, -0.3, -0.2, -0.09999999999999999] ~ 4ulp abs 1e-15
struct Row { two: vec2<f64>, three: vec3<f64>, four: vec4<f64> }
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage, read_write> y: array<Row>;

// e1 - 2 * dot(e2, e1) * e2.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = Row(reflect(p.xy, q.xy), reflect(p.xyz, q.xyz), reflect(p, q));
}
