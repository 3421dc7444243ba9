//! ours
//! grid 1
//! in x = i64[0, -1, 9007199254740993, 9223372036854775807, -9223372036854775808, 9007199254740995,
//!     12345678901234567, 5]
//! out y = f64[(0, -1, 9007199254740992, 9.223372036854776e+18) x 3,
//!     (-9.223372036854776e+18, 9007199254740996, 1.2345678901234568e+16, 5) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
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
