//! grid 2
//! in a = f32[0.6, -0.8, 0, 0, 0, -1, 0, 0, 0.28, -0.96, 0, 0, 0.8, -0.6, 0, 0]
//! in b = f32[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]
//! in ratio = f32[1, 0.5, 0.75, 2]
//! out y = f32[0.6, -0.8] ~ 20ulp pad[8] f32[0.6, -0.8, 0] ~ 23ulp pad[4] f32[0.6, -0.8, 0, 0] ~ 26ulp
//!     f32[0, -1] ~ 12ulp pad[8] f32[0, -1, 0] ~ 13ulp pad[4] f32[0, -1, 0, 0] ~ 14ulp
//!     f32[0.21000001, -0.97770137] ~ 17ulp pad[8] f32[0.21000001, -0.97770137, 0] ~ 19ulp pad[4]
//!     f32[0.21000001, -0.97770137, 0, 0] ~ 21ulp f32[0, 0] pad[8] f32[0, 0, 0] pad[4] f32[0, 0, 0, 0]
struct Row { two: vec2f, three: vec3f, four: vec4f }
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> ratio: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<Row>;

// Unbent, straight through, bent, and reflected entirely: then it is zero.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    let r = ratio[id.x];
    y[id.x] = Row(refract(p.xy, q.xy, r), refract(p.xyz, q.xyz, r), refract(p, q, r));
}
