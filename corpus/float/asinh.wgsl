//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 50, 10, 0.75, 1.5, -4, 100]
//! out y = f32[(0, 0.4812118, -0.4812118, 0.8813736) x 3] ~ 52ulp abs 1.26e-06
//!     f32[(-0.8813736, 1.4436355, -1.4436355, 1.9657204) x 3] ~ 52ulp
//!     f32[(0.09983408, -0.09983408, 4.6052704, 2.998223) x 3] ~ 154ulp
//!     f32[(0.6931472, 1.1947632, -2.0947125, 5.298342) x 3] ~ 94ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as log(x + sqrt(x * x + 1)), which is poor for negative x.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = asinh(v);
    y[i][1] = vec4f(asinh(v.xyz), asinh(v.w));
    y[i][2] = vec4f(asinh(v.xy), asinh(v.zw));
}
