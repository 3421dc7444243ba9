//! grid 2
//! in x = f32[0, 0.25, -0.25, 1, -1, 3, -10, 100, 0.01, -0.001, 10000, -10000, 0.5, 2, -7.5, 0.125]
//! out y = f32[(0, 0.24497867, -0.24497867, 0.7853982) x 3, (-0.7853982, 1.2490457, -1.4711276, 1.5607966) x 3,
//!     (0.009999666, -0.0009999997, 1.5706964, -1.5706964) x 3,
//!     (0.4636476, 1.1071488, -1.4382448, 0.124354996) x 3] ~ 4096ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Far and near.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = atan(v);
    y[i][1] = vec4f(atan(v.xyz), atan(v.w));
    y[i][2] = vec4f(atan(v.xy), atan(v.zw));
}
