//! grid 1
//! in x = u64[0, 1, 18446744073709551615, 9223372036854775808, 4294967296, 4294967295, 12345678901234567890, 77]
//! out int = i32[(0, 1, -1, 0) x 3, (0, -1, -350287150, 77) x 3]
//! out uint = u32[(0, 1, 4294967295, 0) x 3, (0, 4294967295, 3944680146, 77) x 3]
//! out long = i64[(0, 1, -1, -9223372036854775808) x 3, (4294967296, 4294967295, -6101065172474983726, 77) x 3]
//! out float = f32[(0, 1, 1.8446744e+19, 9.223372e+18) x 3,
//!     (4.2949673e+09, 4.2949673e+09, 1.2345679e+19, 77) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage, read_write> int: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> uint: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> long: array<array<vec4<i64>, 3>>;
@group(0) @binding(4) var<storage, read_write> float: array<array<vec4f, 3>>;

// To narrower integers by the low bits; to floats rounded.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    int[i][0] = vec4i(v);
    int[i][1] = vec4i(vec3i(v.xyz), i32(v.w));
    int[i][2] = vec4i(vec2i(v.xy), vec2i(v.zw));
    uint[i][0] = vec4u(v);
    uint[i][1] = vec4u(vec3u(v.xyz), u32(v.w));
    uint[i][2] = vec4u(vec2u(v.xy), vec2u(v.zw));
    long[i][0] = vec4<i64>(v);
    long[i][1] = vec4<i64>(vec3<i64>(v.xyz), i64(v.w));
    long[i][2] = vec4<i64>(vec2<i64>(v.xy), vec2<i64>(v.zw));
    float[i][0] = vec4f(v);
    float[i][1] = vec4f(vec3f(v.xyz), f32(v.w));
    float[i][2] = vec4f(vec2f(v.xy), vec2f(v.zw));
}
