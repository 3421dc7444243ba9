//! grid 2
//! in x = f16[0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, -1, 0.1, -0.9, 0.99, 0.707, -0.33, 0.001, 0.6]
//! out y = f16[(0, 0.2527, -0.2527, 0.5234) x 3] ~ abs 0.00488 f16[(-0.5234, 0.848, -0.848, 1.57) x 3,
//!     (-1.57, 0.10016, -1.119, 1.431) x 3] ~ abs 0.00977 f16[(0.785, -0.3364, 0.001, 0.6436) x 3] ~ abs 0.00488
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// From -1 to 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = asin(v);
    y[i][1] = vec4h(asin(v.xyz), asin(v.w));
    y[i][2] = vec4h(asin(v.xy), asin(v.zw));
}
