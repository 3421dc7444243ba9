//! grid 2
//! in x = f16[0, 1, 4, 2, 3, 0.25, 0.5, 100, 1e+04, 0.01, 10, 7, 6e+04, 0.001, 1.234e+03, 0.1]
//! out y = f16[(0, 1, 2, 1.414) x 3] ~ 6ulp f16[(1.732, 0.5, 0.707, 10) x 3,
//!     (100, 0.10004, 3.162, 2.646) x 3] ~ 7ulp f16[(245, 0.03162, 35.12, 0.3162) x 3] ~ 8ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as 1 / inverseSqrt(x).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = sqrt(v);
    y[i][1] = vec4h(sqrt(v.xyz), sqrt(v.w));
    y[i][2] = vec4h(sqrt(v.xy), sqrt(v.zw));
}
