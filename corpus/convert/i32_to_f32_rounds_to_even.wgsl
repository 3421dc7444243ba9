//! ours
//! grid 1
//! in x = i32[16777217, 16777219, -16777217, 2147483647, 33554435, -33554435, 123456789, -2147483647]
//! out y = f32[(1.6777216e+07, 1.677722e+07, -1.6777216e+07, 2.1474836e+09) x 3,
//!     (3.3554436e+07, -3.3554436e+07, 1.2345679e+08, -2.1474836e+09) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// The nearest; of two the even one.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4f(v);
    y[i][1] = vec4f(vec3f(v.xyz), f32(v.w));
    y[i][2] = vec4f(vec2f(v.xy), vec2f(v.zw));
}
