//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 5, -5, 0.75, 1.5, -4, 2.25]
//! out y = f16[(0, 0.4622, -0.4622, 0.7617) x 3] ~ 19ulp abs 0.00099
//!     f16[(-0.7617, 0.964, -0.964, 0.998) x 3] ~ 43ulp f16[(0.0997, -0.0997, 1, -1) x 3] ~ 25ulp
//!     f16[(0.6353, 0.9053, -0.9995, 0.978) x 3] ~ 30ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as sinh(x) / cosh(x).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = tanh(v);
    y[i][1] = vec4h(tanh(v.xyz), tanh(v.w));
    y[i][2] = vec4h(tanh(v.xy), tanh(v.zw));
}
