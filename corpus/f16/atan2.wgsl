//! grid 2
//! in y = f16[1, 1, -1, -1, 0.5, -3, 2, -2, 100, 0.01, -0.25, 5, 1, -7, 0.125, 3]
//! in x = f16[1, -1, 1, -1, 2, 0.5, -8, -0.25, 1, 10, 4, -5, 100, -0.5, 0.125, 4]
//! out angle = f16[(0.785, 2.355, -0.785, -2.355) x 3, (0.245, -1.405, 2.896, -1.695) x 3,
//!     (1.561, 0.001, -0.0624, 2.355) x 3, (0.01, -1.643, 0.785, 0.6436) x 3] ~ 5ulp
enable f16;

@group(0) @binding(0) var<storage> y: array<vec4h>;
@group(0) @binding(1) var<storage> x: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> angle: array<array<vec4h, 3>>;

// The angle of (x, y) in every quadrant.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let y_i = y[i];
    let v = x[i];
    angle[i][0] = atan2(y_i, v);
    angle[i][1] = vec4h(atan2(y_i.xyz, v.xyz), atan2(y_i.w, v.w));
    angle[i][2] = vec4h(atan2(y_i.xy, v.xy), atan2(y_i.zw, v.zw));
}
