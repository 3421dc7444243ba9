//! grid 2
//! in x = f16[0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, -1, 0.1, -0.9, 0.99, 0.707, -0.33, 0.001, 0.6]
//! out y = f16[(1.57, 1.318, 1.823, 1.047) x 3] ~ abs 0.00977 f16[(2.094, 0.7227, 2.418, 0) x 3,
//!     (3.14, 1.471, 2.69, 0.1399) x 3] ~ abs 0.0195 f16[(0.7856, 1.907, 1.569, 0.9272) x 3] ~ abs 0.00977
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// From -1 to 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = acos(v);
    y[i][1] = vec4h(acos(v.xyz), acos(v.w));
    y[i][2] = vec4h(acos(v.xy), acos(v.zw));
}
