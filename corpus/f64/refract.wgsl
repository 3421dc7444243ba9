//! ours
//! grid 2
//! in a = f64[0.6, -0.8, 0, 0, 0, -1, 0, 0, 0.28, -0.96, 0, 0, 0.8, -0.6, 0, 0]
//! in b = f64[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]
//! in ratio = f64[1, 0.5, 0.75, 2]
//! out y = f64[0.6, -0.8] ~ 8ulp abs 1e-15 pad[16] f64[0.6, -0.8, 0] ~ 8ulp abs 1e-15 pad[8]
//!     f64[0.6, -0.8, 0, 0] ~ 8ulp abs 1e-15 f64[0, -1] ~ 8ulp abs 1e-15 pad[16] f64[0, -1, 0] ~ 8ulp abs 1e-15
//!     pad[8] f64[0, -1, 0, 0] ~ 8ulp abs 1e-15 f64[0.21000000000000002, -0.9777013859047148] ~ 8ulp abs 1e-15
//!     pad[16] f64[0.21000000000000002, -0.9777013859047148, 0] ~ 8ulp abs 1e-15 pad[8]
//!     f64[0.21000000000000002, -0.9777013859047148, 0, 0] ~ 8ulp abs 1e-15 f64[0, 0] pad[16] f64[0, 0, 0] pad[8]
//!     f64[0, 0, 0, 0]
struct Row { two: vec2<f64>, three: vec3<f64>, four: vec4<f64> }
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage> ratio: array<f64>;
@group(0) @binding(3) var<storage, read_write> y: array<Row>;

// Unbent, straight through, bent, and reflected entirely: then it is zero.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    let r = ratio[id.x];
    y[id.x] = Row(refract(p.xy, q.xy, r), refract(p.xyz, q.xyz, r), refract(p, q, r));
}
