//! grid 2
//! in x = f32[0, 1, 4, 2, 3, 0.25, 0.5, 100, 10000, 0.01, 10, 7, 1e+30, 1e-30, 12345.678, 1e+10]
//! out y = f32[(0, 1, 2, 1.4142135) x 3] ~ 6ulp f32[(1.7320508, 0.5, 0.70710677, 10) x 3,
//!     (100, 0.1, 3.1622777, 2.6457512) x 3, (1e+15, 1e-15, 111.11111, 100000) x 3] ~ 7ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as 1 / inverseSqrt(x).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = sqrt(v);
    y[i][1] = vec4f(sqrt(v.xyz), sqrt(v.w));
    y[i][2] = vec4f(sqrt(v.xy), sqrt(v.zw));
}
