//! grid 1
//! in a = f32[1, 2, -3, 0.5, 10, 0.25, 7, -1.5]
//! in b = f32[2, 3, 4, 0.5, -10, 16, 7, 2]
//! in c = f32[3, -6, 1, 0.25, 1, 0, -48, 4]
//! out y = f32[(5, 0, -11, 0.5) x 3, (-99, 4, 1, 1) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> c: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> y: array<array<vec4f, 3>>;

// Products and sums that need no rounding.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    let r = c[i];
    y[i][0] = fma(p, q, r);
    y[i][1] = vec4f(fma(p.xyz, q.xyz, r.xyz), fma(p.w, q.w, r.w));
    y[i][2] = vec4f(fma(p.xy, q.xy, r.xy), fma(p.zw, q.zw, r.zw));
}
