//! grid 2
//! in a = f16[0.6, -0.8, 0, 0, 0, -1, 0, 0, 0.28, -0.96, 0, 0, 0.8, -0.6, 0, 0]
//! in b = f16[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]
//! in ratio = f16[1, 0.5, 0.75, 2]
//! out y = f16[0.6, -0.8] ~ 20ulp pad[4] f16[0.6, -0.8, 0] ~ 23ulp pad[2] f16[0.6, -0.8, 0, 0] ~ 26ulp
//!     f16[0, -1] ~ 12ulp pad[4] f16[0, -1, 0] ~ 13ulp pad[2] f16[0, -1, 0, 0] ~ 14ulp f16[0.21, -0.9775] ~ 17ulp
//!     pad[4] f16[0.21, -0.9775, 0] ~ 19ulp pad[2] f16[0.21, -0.9775, 0, 0] ~ 21ulp f16[0, 0] pad[4] f16[0, 0, 0]
//!     pad[2] f16[0, 0, 0, 0]
enable f16;

struct Row { two: vec2h, three: vec3h, four: vec4h }
@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage> ratio: array<f16>;
@group(0) @binding(3) var<storage, read_write> y: array<Row>;

// Unbent, straight through, bent, and reflected entirely: then it is zero.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    let r = ratio[id.x];
    y[id.x] = Row(refract(p.xy, q.xy, r), refract(p.xyz, q.xyz, r), refract(p, q, r));
}
