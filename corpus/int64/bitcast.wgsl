//! grid 1
//! in x = i64[0, -1, 9223372036854775807, -9223372036854775808, 81985529216486895, 5, -5, 1]
//! out ul = u64[(0, 18446744073709551615, 9223372036854775807, 9223372036854775808) x 3,
//!     (81985529216486895, 5, 18446744073709551611, 1) x 3]
//! out l = i64[(0, -1, 9223372036854775807, -9223372036854775808) x 3, (81985529216486895, 5, -5, 1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
@group(0) @binding(1) var<storage, read_write> ul: array<array<vec4<u64>, 3>>;
@group(0) @binding(2) var<storage, read_write> l: array<array<vec4<i64>, 3>>;

// The bits stay, the type changes.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    ul[i][0] = bitcast<vec4<u64>>(v);
    ul[i][1] = vec4<u64>(bitcast<vec3<u64>>(v.xyz), bitcast<u64>(v.w));
    ul[i][2] = vec4<u64>(bitcast<vec2<u64>>(v.xy), bitcast<vec2<u64>>(v.zw));
    l[i][0] = bitcast<vec4<i64>>(bitcast<vec4<u64>>(v));
    l[i][1] = vec4<i64>(bitcast<vec3<i64>>(bitcast<vec3<u64>>(v.xyz)), bitcast<i64>(bitcast<u64>(v.w)));
    l[i][2] = vec4<i64>(bitcast<vec2<i64>>(bitcast<vec2<u64>>(v.xy)), bitcast<vec2<i64>>(bitcast<vec2<u64>>(v.zw)));
}
