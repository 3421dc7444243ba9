//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 5, -5, 0.75, 1.5, -4, 2.25]
//! out y = f16[(0, 0.521, -0.521, 1.175) x 3] ~ 7ulp abs 0.000986 f16[(-1.175, 3.627, -3.627, 16.55) x 3] ~ 12ulp
//!     f16[(0.10016, -0.10016, 74.2, -74.2) x 3] ~ 18ulp f16[(0.8223, 2.129, -27.3, 4.69) x 3] ~ 13ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as (exp(x) - exp(-x)) * 0.5.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = sinh(v);
    y[i][1] = vec4h(sinh(v.xyz), sinh(v.w));
    y[i][2] = vec4h(sinh(v.xy), sinh(v.zw));
}
