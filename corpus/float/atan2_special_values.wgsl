//! ours
//! grid 3
//! in y = f32[0, -0.0, 0, -0.0, 1, -1, inf, -inf, 1, nan, 1, -1]
//! in x = f32[1, 1, -1, -1, 0, -0.0, inf, -inf, inf, 1, -inf, -inf]
//! out angle = f32[(0, -0.0, 3.1415927, -3.1415927) x 3, (1.5707964, -1.5707964, 0.7853982, -2.3561945) x 3,
//!     (0, nan, 3.1415927, -3.1415927) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> y: array<vec4f>;
@group(0) @binding(1) var<storage> x: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> angle: array<array<vec4f, 3>>;

// On the axes, at the origin and at infinity.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let y_i = y[i];
    let v = x[i];
    angle[i][0] = atan2(y_i, v);
    angle[i][1] = vec4f(atan2(y_i.xyz, v.xyz), atan2(y_i.w, v.w));
    angle[i][2] = vec4f(atan2(y_i.xy, v.xy), atan2(y_i.zw, v.zw));
}
