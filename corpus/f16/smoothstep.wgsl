//! grid 3
//! in a = f16[0, 0, 0, 0, 2, 2, -1, 4, 1, 1, -5, 0]
//! in b = f16[1, 1, 1, 1, 4, 4, 1, 0, 3, 2, 5, 10]
//! in c = f16[-1, 0.25, 0.5, 2, 2.5, 3.5, 0, 1, 1.75, 1.25, 2.5, 7]
//! out y = f16[(0, 0.1562, 0.5, 1) x 3] ~ 17ulp f16[(0.1562, 0.8438, 0.5, 0.8438) x 3] ~ 23ulp
//!     f16[(0.3164, 0.1562, 0.8438, 0.784) x 3] ~ 22ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage> c: array<vec4h>;
@group(0) @binding(3) var<storage, read_write> y: array<array<vec4h, 3>>;

// Rising between the edges, and falling where they are the other way round.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    let r = c[i];
    y[i][0] = smoothstep(p, q, r);
    y[i][1] = vec4h(smoothstep(p.xyz, q.xyz, r.xyz), smoothstep(p.w, q.w, r.w));
    y[i][2] = vec4h(smoothstep(p.xy, q.xy, r.xy), smoothstep(p.zw, q.zw, r.zw));
}
