//! ours
//! grid 1
//! in x = u64[0, 18446744073709551615, 9223372036854775808, 9007199254740993, 5, 6, 7, 1152921504606846977]
//! out y = f64[(0, 1.8446744073709552e+19, 9.223372036854776e+18, 9007199254740992) x 3,
//!     (5, 6, 7, 1.152921504606847e+18) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4<f64>, 3>>;

// The nearest; of two the even one.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4<f64>(v);
    y[i][1] = vec4<f64>(vec3<f64>(v.xyz), f64(v.w));
    y[i][2] = vec4<f64>(vec2<f64>(v.xy), vec2<f64>(v.zw));
}
