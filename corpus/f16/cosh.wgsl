//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 5, -5, 0.75, 1.5, -4, 2.25]
//! out y = f16[(1, 1.128, 1.128, 1.543) x 3] ~ 7ulp f16[(1.543, 3.762, 3.762, 16.58) x 3] ~ 12ulp
//!     f16[(1.005, 1.005, 74.2, 74.2) x 3] ~ 15ulp f16[(1.295, 2.352, 27.31, 4.797) x 3] ~ 13ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as (exp(x) + exp(-x)) * 0.5.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = cosh(v);
    y[i][1] = vec4h(cosh(v.xyz), cosh(v.w));
    y[i][2] = vec4h(cosh(v.xy), cosh(v.zw));
}
