//! grid 2
//! in a = f32[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f32[1, 0, 0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0.5, 0.5, 0.5, 0.5]
//! out y = f32[-1.5, -2] ~ 11ulp pad[8] f32[-1.5, -2, 3.25] ~ 13ulp pad[4] f32[-1.5, -2, 3.25, 0.5] ~ 15ulp
//!     f32[4, -0.25] ~ 11ulp pad[8] f32[4, -0.25, -1] ~ 13ulp pad[4] f32[4, -0.25, -1, 2] ~ 15ulp
//!     f32[-5.9700003, -0.9600002] ~ 50ulp pad[8] f32[-5.9700003, -0.9600002, 1] ~ 63ulp pad[4]
//!     f32[-5.9700003, -0.9600002, 1, -3] ~ 75ulp f32[-0.05, 0.05] ~ 17ulp pad[8]
//!     f32[-0.2, -0.10000001, 3.7252903e-09] ~ 20ulp abs 1.32e-07 pad[4] f32[-0.4, -0.3, -0.2, -0.10000001] ~ 38ulp
struct Row { two: vec2f, three: vec3f, four: vec4f }
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<Row>;

// e1 - 2 * dot(e2, e1) * e2.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = Row(reflect(p.xy, q.xy), reflect(p.xyz, q.xyz), reflect(p, q));
}
