//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 5, -5, 0.75, 1.5, -4, 2.25]
//! out y = f32[(0, 0.5210953, -0.5210953, 1.1752012) x 3] ~ 9ulp abs 3.61e-07
//!     f32[(-1.1752012, 3.6268604, -3.6268604, 16.542627) x 3] ~ 14ulp
//!     f32[(0.10016675, -0.10016675, 74.20321, -74.20321) x 3] ~ 42ulp
//!     f32[(0.8223167, 2.1292794, -27.289917, 4.6911683) x 3] ~ 15ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as (exp(x) - exp(-x)) * 0.5.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = sinh(v);
    y[i][1] = vec4f(sinh(v.xyz), sinh(v.w));
    y[i][2] = vec4f(sinh(v.xy), sinh(v.zw));
}
