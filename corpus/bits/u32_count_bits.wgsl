//! grid 2
//! in x = u32[0, 1, 4294967295, 2147483648, 2, 12, 4294967295, 4294967294, 240, 4294967040, 1073741824, 4294967291,
//!     18165, 964, 7, 60]
//! out ones = u32[(0, 1, 32, 1) x 3, (1, 2, 32, 31) x 3, (4, 24, 1, 31) x 3, (9, 5, 3, 4) x 3]
//! out leading = u32[(32, 31, 0, 0) x 3, (30, 28, 0, 0) x 3, (24, 0, 1, 0) x 3, (17, 22, 29, 26) x 3]
//! out trailing = u32[(32, 0, 0, 31) x 3, (1, 2, 0, 1) x 3, (4, 8, 30, 0) x 3, (0, 2, 0, 2) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> ones: array<array<vec4u, 3>>;
@group(0) @binding(2) var<storage, read_write> leading: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> trailing: array<array<vec4u, 3>>;

// Counting ones, and the zeros at both ends.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    ones[i][0] = countOneBits(v);
    ones[i][1] = vec4u(countOneBits(v.xyz), countOneBits(v.w));
    ones[i][2] = vec4u(countOneBits(v.xy), countOneBits(v.zw));
    leading[i][0] = countLeadingZeros(v);
    leading[i][1] = vec4u(countLeadingZeros(v.xyz), countLeadingZeros(v.w));
    leading[i][2] = vec4u(countLeadingZeros(v.xy), countLeadingZeros(v.zw));
    trailing[i][0] = countTrailingZeros(v);
    trailing[i][1] = vec4u(countTrailingZeros(v.xyz), countTrailingZeros(v.w));
    trailing[i][2] = vec4u(countTrailingZeros(v.xy), countTrailingZeros(v.zw));
}
