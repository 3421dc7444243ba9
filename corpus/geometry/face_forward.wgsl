//! grid 2
//! in a = f32[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f32[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! in c = f32[1, 0, 0, 0, 0, 1, 0, 0, 0.6, -0.8, 0, 0, 0.5, 0.5, 0.5, 0.5]
//! out y = f32[-1.5, 2] ~ 1ulp pad[8] f32[-1.5, 2, -3.25] ~ 1ulp pad[4] f32[-1.5, 2, -3.25, -0.5] ~ 1ulp
//!     f32[4, 0.25] ~ 1ulp pad[8] f32[4, 0.25, -1] ~ 1ulp pad[4] f32[4, 0.25, -1, 2] ~ 1ulp f32[0.75, -6] ~ 1ulp
//!     pad[8] f32[0.75, -6, -1] ~ 1ulp pad[4] f32[0.75, -6, -1, 3] ~ 1ulp f32[-0.1, -0.2] ~ 1ulp pad[8]
//!     f32[-0.1, -0.2, -0.3] ~ 1ulp pad[4] f32[-0.1, -0.2, -0.3, -0.4] ~ 1ulp
struct Row { two: vec2f, three: vec3f, four: vec4f }
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> c: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> y: array<Row>;

// e1 if dot(e2, e3) is negative, else -e1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    let r = c[id.x];
    y[id.x] = Row(faceForward(p.xy, q.xy, r.xy), faceForward(p.xyz, q.xyz, r.xyz), faceForward(p, q, r));
}
