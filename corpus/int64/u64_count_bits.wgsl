//! grid 2
//! in x = u64[0, 1, 18446744073709551615, 9223372036854775808, 2, 12, 18446744073709551615, 18446744073709551614,
//!     240, 18446744073709551360, 4611686018427387904, 18446744073709551611, 4274, 1236980, 140227181684376,
//!     15183122227]
//! out ones = u64[(0, 1, 64, 1) x 3, (1, 2, 64, 63) x 3, (4, 56, 1, 63) x 3, (5, 14, 25, 18) x 3]
//! out leading = u64[(64, 63, 0, 0) x 3, (62, 60, 0, 0) x 3, (56, 0, 1, 0) x 3, (51, 43, 17, 30) x 3]
//! out trailing = u64[(64, 0, 0, 63) x 3, (1, 2, 0, 1) x 3, (4, 8, 62, 0) x 3, (1, 2, 3, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage, read_write> ones: array<array<vec4<u64>, 3>>;
@group(0) @binding(2) var<storage, read_write> leading: array<array<vec4<u64>, 3>>;
@group(0) @binding(3) var<storage, read_write> trailing: array<array<vec4<u64>, 3>>;

// Counting ones, and the zeros at both ends.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    ones[i][0] = countOneBits(v);
    ones[i][1] = vec4<u64>(countOneBits(v.xyz), countOneBits(v.w));
    ones[i][2] = vec4<u64>(countOneBits(v.xy), countOneBits(v.zw));
    leading[i][0] = countLeadingZeros(v);
    leading[i][1] = vec4<u64>(countLeadingZeros(v.xyz), countLeadingZeros(v.w));
    leading[i][2] = vec4<u64>(countLeadingZeros(v.xy), countLeadingZeros(v.zw));
    trailing[i][0] = countTrailingZeros(v);
    trailing[i][1] = vec4<u64>(countTrailingZeros(v.xyz), countTrailingZeros(v.w));
    trailing[i][2] = vec4<u64>(countTrailingZeros(v.xy), countTrailingZeros(v.zw));
}
