//! grid 2
//! in x = i32[0, 1, -1, -2147483648, 2, 12, 2147483647, -2, 240, -256, 1073741824, -5, 62858, -112849, -13878,
//!     288384645]
//! out ones = i32[(0, 1, 32, 1) x 3, (1, 2, 31, 31) x 3, (4, 24, 1, 31) x 3, (9, 24, 24, 11) x 3]
//! out leading = i32[(32, 31, 0, 0) x 3, (30, 28, 1, 0) x 3, (24, 0, 1, 0) x 3, (16, 0, 0, 3) x 3]
//! out trailing = i32[(32, 0, 0, 31) x 3, (1, 2, 0, 1) x 3, (4, 8, 30, 0) x 3, (1, 0, 1, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> ones: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> leading: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> trailing: array<array<vec4i, 3>>;

// Counting ones, and the zeros at both ends.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    ones[i][0] = countOneBits(v);
    ones[i][1] = vec4i(countOneBits(v.xyz), countOneBits(v.w));
    ones[i][2] = vec4i(countOneBits(v.xy), countOneBits(v.zw));
    leading[i][0] = countLeadingZeros(v);
    leading[i][1] = vec4i(countLeadingZeros(v.xyz), countLeadingZeros(v.w));
    leading[i][2] = vec4i(countLeadingZeros(v.xy), countLeadingZeros(v.zw));
    trailing[i][0] = countTrailingZeros(v);
    trailing[i][1] = vec4i(countTrailingZeros(v.xyz), countTrailingZeros(v.w));
    trailing[i][2] = vec4i(countTrailingZeros(v.xy), countTrailingZeros(v.zw));
}
