//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 5, -5, 0.75, 1.5, -4, 2.25]
//! out y = f32[(1, 1.127626, 1.127626, 1.5430807) x 3] ~ 9ulp
//!     f32[(1.5430807, 3.7621956, 3.7621956, 16.572824) x 3] ~ 14ulp
//!     f32[(1.0050042, 1.0050042, 74.209946, 74.209946) x 3] ~ 17ulp
//!     f32[(1.2946833, 2.3524096, 27.308233, 4.7965674) x 3] ~ 15ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as (exp(x) + exp(-x)) * 0.5.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = cosh(v);
    y[i][1] = vec4f(cosh(v.xyz), cosh(v.w));
    y[i][2] = vec4f(cosh(v.xy), cosh(v.zw));
}
