//! grid 2
//! in y = f32[1, 1, -1, -1, 0.5, -3, 2, -2, 100, 0.01, -0.25, 5, 1, -7, 0.125, 3]
//! in x = f32[1, -1, 1, -1, 2, 0.5, -8, -0.25, 1, 10, 4, -5, 100, -0.5, 0.125, 4]
//! out angle = f32[(0.7853982, 2.3561945, -0.7853982, -2.3561945) x 3,
//!     (0.24497867, -1.4056476, 2.896614, -1.6951513) x 3, (1.5607966, 0.0009999997, -0.06241881, 2.3561945) x 3,
//!     (0.009999666, -1.6421038, 0.7853982, 0.6435011) x 3] ~ 4096ulp
@group(0) @binding(0) var<storage> y: array<vec4f>;
@group(0) @binding(1) var<storage> x: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> angle: array<array<vec4f, 3>>;

// The angle of (x, y) in every quadrant.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let y_i = y[i];
    let v = x[i];
    angle[i][0] = atan2(y_i, v);
    angle[i][1] = vec4f(atan2(y_i.xyz, v.xyz), atan2(y_i.w, v.w));
    angle[i][2] = vec4f(atan2(y_i.xy, v.xy), atan2(y_i.zw, v.zw));
}
