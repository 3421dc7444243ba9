//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, 0.1, -0.25, 0.75, -1, 1.25, -1.25, 2.5, -2.5, 3, -3, 2, 0.785398]
//! out y = f32[(0, 0.5463025, -0.5463025, 1.5574077) x 3,
//!     (0.100334674, -0.25534192, 0.93159646, -1.5574077) x 3] ~ abs 0.00234
//!     f32[(3.0095696, -3.0095696, -0.7470223, 0.7470223) x 3] ~ abs 0.00628
//!     f32[(-0.14254655, 0.14254655, -2.1850398, 0.9999997) x 3] ~ abs 0.00378
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as sin(x) / cos(x).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = tan(v);
    y[i][1] = vec4f(tan(v.xyz), tan(v.w));
    y[i][2] = vec4f(tan(v.xy), tan(v.zw));
}
