//! grid 3
//! in x = f32[0, 1.9, -1.9, 1e+10, -1e+10, 1e+19, -1e+19, 1e+30, -1e+30, 9.2e+18, 4.2949673e+09, 0.99]
//! out long = i64[(0, 1, -1, 10000000000) x 3,
//!     (-10000000000, 9223371487098961920, -9223372036854775808, 9223371487098961920) x 3,
//!     (-9223372036854775808, 9200000267938955264, 4294967296, 0) x 3]
//! out ulong = u64[(0, 1, 0, 10000000000) x 3, (0, 9999999980506447872, 0, 18446742974197923840) x 3,
//!     (0, 9200000267938955264, 4294967296, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> long: array<array<vec4<i64>, 3>>;
@group(0) @binding(2) var<storage, read_write> ulong: array<array<vec4<u64>, 3>>;

// Towards zero, and clamped to what both types can represent.
@compute @workgroup_size(1)
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
