//! grid 2
//! in x = f32[0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, -1, 0.1, -0.9, 0.99, 0.7071068, -0.33, 0.001, 0.6]
//! out y = f32[(1.5707964, 1.3181161, 1.8234766, 1.0471976) x 3] ~ abs 0.000488
//!     f32[(2.0943952, 0.7227343, 2.4188583, 0) x 3,
//!     (3.1415927, 1.4706289, 2.6905658, 0.14153941) x 3] ~ abs 0.000977
//!     f32[(0.7853981, 1.9071, 1.5697963, 0.9272952) x 3] ~ abs 0.000488
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// From -1 to 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = acos(v);
    y[i][1] = vec4f(acos(v.xyz), acos(v.w));
    y[i][2] = vec4f(acos(v.xy), acos(v.zw));
}
