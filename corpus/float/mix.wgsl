//! grid 1
//! in a = f32[1, 0, -2, 10, 3, -3, 0.5, 100]
//! in b = f32[3, 1, 2, 20, -3, 3, 4.5, -100]
//! in c = f32[0.5, 0.25, 0.75, 0, 1, 0.125, 0.5, 0.25]
//! out y = f32[(2, 0.25, 1, 10) x 3] ~ 5ulp f32[(-3, -2.25, 2.5, 50) x 3] ~ 7ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> c: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> y: array<array<vec4f, 3>>;

// a * (1 - t) + b * t.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    let r = c[i];
    y[i][0] = mix(p, q, r);
    y[i][1] = vec4f(mix(p.xyz, q.xyz, r.xyz), mix(p.w, q.w, r.w));
    y[i][2] = vec4f(mix(p.xy, q.xy, r.xy), mix(p.zw, q.zw, r.zw));
}
