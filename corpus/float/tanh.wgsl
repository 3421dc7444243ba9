//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 5, -5, 0.75, 1.5, -4, 2.25]
//! out y = f32[(0, 0.46211717, -0.46211717, 0.7615942) x 3] ~ 337ulp abs 1.01e-05
//!     f32[(-0.7615942, 0.9640276, -0.9640276, 0.9981779) x 3] ~ 169ulp
//!     f32[(0.099667996, -0.099667996, 0.9999092, -0.9999092) x 3] ~ 1344ulp
//!     f32[(0.63514894, 0.90514827, -0.9993293, 0.9780261) x 3] ~ 169ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as sinh(x) / cosh(x).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = tanh(v);
    y[i][1] = vec4f(tanh(v.xyz), tanh(v.w));
    y[i][2] = vec4f(tanh(v.xy), tanh(v.zw));
}
