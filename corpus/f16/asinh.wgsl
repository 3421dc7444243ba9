//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, -1, 2, -2, 3.5, 0.1, -0.1, 50, 10, 0.75, 1.5, -4, 100]
//! out y = f16[(0, 0.4812, -0.4812, 0.8813) x 3] ~ 69ulp abs 0.0144
//!     f16[(-0.8813, 1.443, -1.443, 1.966) x 3] ~ 54ulp f16[(0.0998, -0.0998, 4.605, 2.998) x 3] ~ 219ulp
//!     f16[(0.6934, 1.194, -2.094, 5.297) x 3] ~ 113ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as log(x + sqrt(x * x + 1)), which is poor for negative x.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = asinh(v);
    y[i][1] = vec4h(asinh(v.xyz), asinh(v.w));
    y[i][2] = vec4h(asinh(v.xy), asinh(v.zw));
}
