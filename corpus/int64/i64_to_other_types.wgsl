//! grid 3
//! in x = i64[0, 1, -1, 2147483648, -2147483649, 9223372036854775807, -9223372036854775808, 4294967296, 4294967295,
//!     77, -77, 1099511627781]
//! out int = i32[(0, 1, -1, -2147483648) x 3, (2147483647, -1, 0, 0) x 3, (-1, 77, -77, 5) x 3]
//! out uint = u32[(0, 1, 4294967295, 2147483648) x 3, (2147483647, 4294967295, 0, 0) x 3,
//!     (4294967295, 77, 4294967219, 5) x 3]
//! out ulong = u64[(0, 1, 18446744073709551615, 2147483648) x 3,
//!     (18446744071562067967, 9223372036854775807, 9223372036854775808, 4294967296) x 3,
//!     (4294967295, 77, 18446744073709551539, 1099511627781) x 3]
//! out float = f32[(0, 1, -1, 2.1474836e+09) x 3, (-2.1474836e+09, 9.223372e+18, -9.223372e+18, 4.2949673e+09) x 3,
//!     (4.2949673e+09, 77, -77, 1.0995116e+12) x 3] ~ 1ulp
//! out truth = u32[(0, 1, 1, 1) x 3, (1, 1, 1, 1) x 3, (1, 1, 1, 1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
@group(0) @binding(1) var<storage, read_write> int: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> uint: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> ulong: array<array<vec4<u64>, 3>>;
@group(0) @binding(4) var<storage, read_write> float: array<array<vec4f, 3>>;
@group(0) @binding(5) var<storage, read_write> truth: array<array<vec4u, 3>>;

// To narrower integers by the low bits; to floats rounded.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    int[i][0] = vec4i(v);
    int[i][1] = vec4i(vec3i(v.xyz), i32(v.w));
    int[i][2] = vec4i(vec2i(v.xy), vec2i(v.zw));
    uint[i][0] = vec4u(v);
    uint[i][1] = vec4u(vec3u(v.xyz), u32(v.w));
    uint[i][2] = vec4u(vec2u(v.xy), vec2u(v.zw));
    ulong[i][0] = vec4<u64>(v);
    ulong[i][1] = vec4<u64>(vec3<u64>(v.xyz), u64(v.w));
    ulong[i][2] = vec4<u64>(vec2<u64>(v.xy), vec2<u64>(v.zw));
    float[i][0] = vec4f(v);
    float[i][1] = vec4f(vec3f(v.xyz), f32(v.w));
    float[i][2] = vec4f(vec2f(v.xy), vec2f(v.zw));
    truth[i][0] = vec4u(vec4<bool>(v));
    truth[i][1] = vec4u(vec3u(vec3<bool>(v.xyz)), u32(bool(v.w)));
    truth[i][2] = vec4u(vec2u(vec2<bool>(v.xy)), vec2u(vec2<bool>(v.zw)));
}
