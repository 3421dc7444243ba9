//! grid 2
//! in a = f16[2, 2, 2, 10, 0.5, 1.5, 3, 0.1, 7, 1, 1.25, 4, 9, 0.01, 5, 0.75]
//! in b = f16[10, -3, 0.5, 3, 4, 2.5, -1, 2, 0, 5, 8, -0.5, 1.5, 0.5, 3, -4]
//! out y = f16[(1.024e+03, 0.125, 1.414, 1e+03) x 3] ~ 86ulp f16[(0.0625, 2.756, 0.3333, 0.009995) x 3] ~ 36ulp
//!     f16[(1, 1, 5.96, 0.5) x 3] ~ 77ulp f16[(27, 0.10004, 125, 3.16) x 3] ~ 46ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as exp2(y * log2(x)).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    y[i][0] = pow(p, q);
    y[i][1] = vec4h(pow(p.xyz, q.xyz), pow(p.w, q.w));
    y[i][2] = vec4h(pow(p.xy, q.xy), pow(p.zw, q.zw));
}
