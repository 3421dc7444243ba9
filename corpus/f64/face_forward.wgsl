//! ours
//! grid 2
//! in a = f64[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f64[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! in c = f64[1, 0, 0, 0, 0, 1, 0, 0, 0.6, -0.8, 0, 0, 0.5, 0.5, 0.5, 0.5]
//! out y = f64[-1.5, 2] ~ 4ulp abs 1e-15 pad[16] f64[-1.5, 2, -3.25] ~ 4ulp abs 1e-15 pad[8]
//!     f64[-1.5, 2, -3.25, -0.5] ~ 4ulp abs 1e-15 f64[4, 0.25] ~ 4ulp abs 1e-15 pad[16]
//!     f64[4, 0.25, -1] ~ 4ulp abs 1e-15 pad[8] f64[4, 0.25, -1, 2] ~ 4ulp abs 1e-15 f64[0.75, -6] ~ 4ulp abs 1e-15
//!     pad[16] f64[0.75, -6, -1] ~ 4ulp abs 1e-15 pad[8] f64[0.75, -6, -1, 3] ~ 4ulp abs 1e-15
//!     f64[-0.1, -0.2] ~ 4ulp abs 1e-15 pad[16] f64[-0.1, -0.2, -0.3] ~ 4ulp abs 1e-15 pad[8]
//!     f64[-0.1, -0.2, -0.3, -0.4] ~ 4ulp abs 1e-15
struct Row { two: vec2<f64>, three: vec3<f64>, four: vec4<f64> }
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage> c: array<vec4<f64>>;
@group(0) @binding(3) var<storage, read_write> y: array<Row>;

// e1 if dot(e2, e3) is negative, else -e1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    let r = c[id.x];
    y[id.x] = Row(faceForward(p.xy, q.xy, r.xy), faceForward(p.xyz, q.xyz, r.xyz), faceForward(p, q, r));
}
