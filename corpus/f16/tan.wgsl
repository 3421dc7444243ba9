//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, 0.1, -0.25, 0.75, -1, 1.25, -1.25, 2.5, -2.5, 3, -3, 2, 0.785]
//! out y = f16[(0, 0.5464, -0.5464, 1.558) x 3] ~ 42ulp abs 0.00795
//!     f16[(0.1003, -0.2554, 0.9316, -1.558) x 3] ~ 147ulp f16[(3.01, -3.01, -0.747, 0.747) x 3] ~ 56ulp
//!     f16[(-0.1426, 0.1426, -2.186, 0.9995) x 3] ~ 78ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// As accurate as sin(x) / cos(x).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = tan(v);
    y[i][1] = vec4h(tan(v.xyz), tan(v.w));
    y[i][2] = vec4h(tan(v.xy), tan(v.zw));
}
