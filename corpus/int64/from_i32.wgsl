//! grid 1
//! in x = i32[0, 1, -1, 2147483647, -2147483648, 77, -77, 12]
//! out long = i64[(0, 1, -1, 2147483647) x 3, (-2147483648, 77, -77, 12) x 3]
//! out ulong = u64[(0, 1, 18446744073709551615, 2147483647) x 3,
//!     (18446744071562067968, 77, 18446744073709551539, 12) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> long: array<array<vec4<i64>, 3>>;
@group(0) @binding(2) var<storage, read_write> ulong: array<array<vec4<u64>, 3>>;

// The sign is extended.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    long[i][0] = vec4<i64>(v);
    long[i][1] = vec4<i64>(vec3<i64>(v.xyz), i64(v.w));
    long[i][2] = vec4<i64>(vec2<i64>(v.xy), vec2<i64>(v.zw));
    ulong[i][0] = vec4<u64>(v);
    ulong[i][1] = vec4<u64>(vec3<u64>(v.xyz), u64(v.w));
    ulong[i][2] = vec4<u64>(vec2<u64>(v.xy), vec2<u64>(v.zw));
}
