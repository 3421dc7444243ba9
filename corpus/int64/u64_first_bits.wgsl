//! grid 2
//! in x = u64[0, 1, 18446744073709551615, 9223372036854775808, 2, 12, 18446744073709551615, 18446744073709551614,
//!     240, 18446744073709551360, 4611686018427387904, 18446744073709551611, 4274, 1236980, 140227181684376,
//!     15183122227]
//! out leading = u64[(18446744073709551615, 0, 63, 63) x 3, (1, 3, 63, 63) x 3, (7, 63, 62, 63) x 3,
//!     (12, 20, 46, 33) x 3]
//! out trailing = u64[(18446744073709551615, 0, 0, 63) x 3, (1, 2, 0, 1) x 3, (4, 8, 62, 0) x 3, (1, 2, 3, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage, read_write> leading: array<array<vec4<u64>, 3>>;
@group(0) @binding(2) var<storage, read_write> trailing: array<array<vec4<u64>, 3>>;

// All ones if there is no such bit.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    leading[i][0] = firstLeadingBit(v);
    leading[i][1] = vec4<u64>(firstLeadingBit(v.xyz), firstLeadingBit(v.w));
    leading[i][2] = vec4<u64>(firstLeadingBit(v.xy), firstLeadingBit(v.zw));
    trailing[i][0] = firstTrailingBit(v);
    trailing[i][1] = vec4<u64>(firstTrailingBit(v.xyz), firstTrailingBit(v.w));
    trailing[i][2] = vec4<u64>(firstTrailingBit(v.xy), firstTrailingBit(v.zw));
}
