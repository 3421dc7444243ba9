//! grid 3
//! in a = f32[0, 0, 0, 0, 2, 2, -1, 4, 1, 1, -5, 0]
//! in b = f32[1, 1, 1, 1, 4, 4, 1, 0, 3, 2, 5, 10]
//! in c = f32[-1, 0.25, 0.5, 2, 2.5, 3.5, 0, 1, 1.75, 1.25, 2.5, 7]
//! out y = f32[(0, 0.15625, 0.5, 1) x 3] ~ 17ulp f32[(0.15625, 0.84375, 0.5, 0.84375) x 3] ~ 23ulp
//!     f32[(0.31640625, 0.15625, 0.84375, 0.784) x 3] ~ 21ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> c: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> y: array<array<vec4f, 3>>;

// Rising between the edges, and falling where they are the other way round.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    let r = c[i];
    y[i][0] = smoothstep(p, q, r);
    y[i][1] = vec4f(smoothstep(p.xyz, q.xyz, r.xyz), smoothstep(p.w, q.w, r.w));
    y[i][2] = vec4f(smoothstep(p.xy, q.xy, r.xy), smoothstep(p.zw, q.zw, r.zw));
}
