//! grid 2
//! in a = f16[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f16[1, 0, 0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0.5, 0.5, 0.5, 0.5]
//! out y = f16[-1.5, -2] ~ 11ulp pad[4] f16[-1.5, -2, 3.25] ~ 13ulp pad[2] f16[-1.5, -2, 3.25, 0.5] ~ 15ulp
//!     f16[4, -0.25] ~ 11ulp pad[4] f16[4, -0.25, -1] ~ 13ulp pad[2] f16[4, -0.25, -1, 2] ~ 15ulp
//!     f16[-5.97, -0.9565] ~ 50ulp pad[4] f16[-5.97, -0.9565, 1] ~ 62ulp pad[2] f16[-5.97, -0.9565, 1, -3] ~ 75ulp
//!     f16[-0.05, 0.05] ~ 17ulp pad[4] f16[-0.2, -0.10004, 6.104e-05] ~ 20ulp abs 0.00108 pad[2]
//!     f16[-0.4, -0.3, -0.2, -0.10004] ~ 26ulp
enable f16;

struct Row { two: vec2h, three: vec3h, four: vec4h }
@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> y: array<Row>;

// e1 - 2 * dot(e2, e1) * e2.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = Row(reflect(p.xy, q.xy), reflect(p.xyz, q.xyz), reflect(p, q));
}
