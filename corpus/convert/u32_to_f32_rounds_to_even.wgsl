//! ours
//! grid 1
//! in x = u32[4294967295, 4294967040, 4294967168, 16777217, 2147483649, 3000000001, 0, 2147483648]
//! out y = f32[(4.2949673e+09, 4.294967e+09, 4.2949673e+09, 1.6777216e+07) x 3,
//!     (2.1474836e+09, 3e+09, 0, 2.1474836e+09) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
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
