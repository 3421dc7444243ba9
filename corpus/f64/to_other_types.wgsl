//! ours
//! grid 3
//! in x = f64[0, 1.9, -1.9, 10000000000, -10000000000, 1e+20, -1e+20, 2147483647.9, 4294967295.5, 0.1, 1e+39,
//!     1e-50]
//! out int = i32[(0, 1, -1, 2147483647) x 3, (-2147483648, 2147483647, -2147483648, 2147483647) x 3,
//!     (2147483647, 0, 2147483647, 0) x 3]
//! out uint = u32[(0, 1, 0, 4294967295) x 3, (0, 4294967295, 0, 2147483647) x 3,
//!     (4294967295, 0, 4294967295, 0) x 3]
//! out long = i64[(0, 1, -1, 10000000000) x 3,
//!     (-10000000000, 9223372036854774784, -9223372036854775808, 2147483647) x 3,
//!     (4294967295, 0, 9223372036854774784, 0) x 3]
//! out ulong = u64[(0, 1, 0, 10000000000) x 3, (0, 18446744073709549568, 0, 2147483647) x 3,
//!     (4294967295, 0, 18446744073709549568, 0) x 3]
//! out float = f32[(0, 1.9, -1.9, 1e+10) x 3, (-1e+10, 1e+20, -1e+20, 2.1474836e+09) x 3,
//!     (4.2949673e+09, 0.1, inf, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> int: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> uint: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> long: array<array<vec4<i64>, 3>>;
@group(0) @binding(4) var<storage, read_write> ulong: array<array<vec4<u64>, 3>>;
@group(0) @binding(5) var<storage, read_write> float: array<array<vec4f, 3>>;

// To integers towards zero and clamped; to f32 rounded.
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
    long[i][0] = vec4<i64>(v);
    long[i][1] = vec4<i64>(vec3<i64>(v.xyz), i64(v.w));
    long[i][2] = vec4<i64>(vec2<i64>(v.xy), vec2<i64>(v.zw));
    ulong[i][0] = vec4<u64>(v);
    ulong[i][1] = vec4<u64>(vec3<u64>(v.xyz), u64(v.w));
    ulong[i][2] = vec4<u64>(vec2<u64>(v.xy), vec2<u64>(v.zw));
    float[i][0] = vec4f(v);
    float[i][1] = vec4f(vec3f(v.xyz), f32(v.w));
    float[i][2] = vec4f(vec2f(v.xy), vec2f(v.zw));
}
