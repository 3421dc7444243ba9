//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, 1.5, -1.5, 2, 3, -3, 0.1, -0.01, 2.5, 0.785398, 1.570796, -2.356194, 3.140625]
//! out y = f32[(1, 0.87758255, 0.87758255, 0.5403023) x 3, (0.0707372, 0.0707372, -0.41614684, -0.9899925) x 3,
//!     (-0.9899925, 0.9950042, 0.99995, -0.8011436) x 3,
//!     (0.7071069, 3.1391647e-07, -0.7071065, -0.9999995) x 3] ~ abs 0.000488
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 2^-11 over one turn.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = cos(v);
    y[i][1] = vec4f(cos(v.xyz), cos(v.w));
    y[i][2] = vec4f(cos(v.xy), cos(v.zw));
}
