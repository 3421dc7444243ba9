//! ours
//! grid 1
//! in a = f64[1, -2, 10, 0.5]
//! in b = f64[3, 2, 20, 4.5]
//! in c = f64[0.5, 0.75, 0, 0.5]
//! out mixed = f64[(2, 1, 10, 2.5) x 3]
//! out stepped = f64[(0, 1, 0, 1) x 3]
//! out smoothed = f64[(0, 0.76806640625, 0, 0) x 3] ~ 4ulp
//! out fused = f64[(3.5, -3.25, 200, 2.75) x 3]
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage> c: array<vec4<f64>>;
@group(0) @binding(3) var<storage, read_write> mixed: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> stepped: array<array<vec4<f64>, 3>>;
@group(0) @binding(5) var<storage, read_write> smoothed: array<array<vec4<f64>, 3>>;
@group(0) @binding(6) var<storage, read_write> fused: array<array<vec4<f64>, 3>>;

// By the formulas.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    let r = c[i];
    mixed[i][0] = mix(p, q, r);
    mixed[i][1] = vec4<f64>(mix(p.xyz, q.xyz, r.xyz), mix(p.w, q.w, r.w));
    mixed[i][2] = vec4<f64>(mix(p.xy, q.xy, r.xy), mix(p.zw, q.zw, r.zw));
    stepped[i][0] = step(p, r);
    stepped[i][1] = vec4<f64>(step(p.xyz, r.xyz), step(p.w, r.w));
    stepped[i][2] = vec4<f64>(step(p.xy, r.xy), step(p.zw, r.zw));
    smoothed[i][0] = smoothstep(p, q, r);
    smoothed[i][1] = vec4<f64>(smoothstep(p.xyz, q.xyz, r.xyz), smoothstep(p.w, q.w, r.w));
    smoothed[i][2] = vec4<f64>(smoothstep(p.xy, q.xy, r.xy), smoothstep(p.zw, q.zw, r.zw));
    fused[i][0] = fma(p, q, r);
    fused[i][1] = vec4<f64>(fma(p.xyz, q.xyz, r.xyz), fma(p.w, q.w, r.w));
    fused[i][2] = vec4<f64>(fma(p.xy, q.xy, r.xy), fma(p.zw, q.zw, r.zw));
}
