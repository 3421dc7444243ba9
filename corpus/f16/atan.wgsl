//! grid 2
//! in x = f16[0, 0.25, -0.25, 1, -1, 3, -10, 100, 0.01, -0.001, 1e+04, -1e+04, 0.5, 2, -7.5, 0.125]
//! out y = f16[(0, 0.245, -0.245, 0.785) x 3, (-0.785, 1.249, -1.471, 1.561) x 3, (0.01, -0.001, 1.57, -1.57) x 3,
//!     (0.4636, 1.107, -1.438, 0.1243) x 3] ~ 5ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Far and near.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = atan(v);
    y[i][1] = vec4h(atan(v.xyz), atan(v.w));
    y[i][2] = vec4h(atan(v.xy), atan(v.zw));
}
