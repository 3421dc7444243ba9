//! grid 2
//! in x = u32[0, 1, 4294967295, 2147483648, 2, 12, 4294967295, 4294967294, 240, 4294967040, 1073741824, 4294967291,
//!     18165, 964, 7, 60]
//! out leading = u32[(4294967295, 0, 31, 31) x 3, (1, 3, 31, 31) x 3, (7, 31, 30, 31) x 3, (14, 9, 2, 5) x 3]
//! out trailing = u32[(4294967295, 0, 0, 31) x 3, (1, 2, 0, 1) x 3, (4, 8, 30, 0) x 3, (0, 2, 0, 2) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> leading: array<array<vec4u, 3>>;
@group(0) @binding(2) var<storage, read_write> trailing: array<array<vec4u, 3>>;

// All ones if there is no such bit.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    leading[i][0] = firstLeadingBit(v);
    leading[i][1] = vec4u(firstLeadingBit(v.xyz), firstLeadingBit(v.w));
    leading[i][2] = vec4u(firstLeadingBit(v.xy), firstLeadingBit(v.zw));
    trailing[i][0] = firstTrailingBit(v);
    trailing[i][1] = vec4u(firstTrailingBit(v.xyz), firstTrailingBit(v.w));
    trailing[i][2] = vec4u(firstTrailingBit(v.xy), firstTrailingBit(v.zw));
}
