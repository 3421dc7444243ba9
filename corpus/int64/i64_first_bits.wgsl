//! grid 2
//! in x = i64[0, 1, -1, -9223372036854775808, 2, 12, 9223372036854775807, -2, 240, -256, 4611686018427387904, -5,
//!     47719207859, -3361382, 6328, -91892]
//! out leading = i64[(-1, 0, -1, 62) x 3, (1, 3, 62, 0) x 3, (7, 7, 62, 2) x 3, (35, 21, 12, 16) x 3]
//! out trailing = i64[(-1, 0, 0, 63) x 3, (1, 2, 0, 1) x 3, (4, 8, 62, 0) x 3, (0, 1, 3, 2) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
@group(0) @binding(1) var<storage, read_write> leading: array<array<vec4<i64>, 3>>;
@group(0) @binding(2) var<storage, read_write> trailing: array<array<vec4<i64>, 3>>;

// All ones if there is no such bit; in a negative number the highest zero counts.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    leading[i][0] = firstLeadingBit(v);
    leading[i][1] = vec4<i64>(firstLeadingBit(v.xyz), firstLeadingBit(v.w));
    leading[i][2] = vec4<i64>(firstLeadingBit(v.xy), firstLeadingBit(v.zw));
    trailing[i][0] = firstTrailingBit(v);
    trailing[i][1] = vec4<i64>(firstTrailingBit(v.xyz), firstTrailingBit(v.w));
    trailing[i][2] = vec4<i64>(firstTrailingBit(v.xy), firstTrailingBit(v.zw));
}
