//! ours
//! grid 1
//! in a = f32[1.0002441, 0.1, 7.888609e-31, 3.4e+38]
//! in b = f32[1.0002441, 10, 7.888609e-31, 2]
//! in c = f32[-1.0004883, -1, 1, -3.4e+38]
//! out y = f32[(5.9604645e-08, 1.4901161e-08, 1, 3.4e+38) x 3]
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> c: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> y: array<array<vec4f, 3>>;

// One rounding, at the end.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    let r = c[i];
    y[i][0] = fma(p, q, r);
    y[i][1] = vec4f(fma(p.xyz, q.xyz, r.xyz), fma(p.w, q.w, r.w));
    y[i][2] = vec4f(fma(p.xy, q.xy, r.xy), fma(p.zw, q.zw, r.zw));
}
