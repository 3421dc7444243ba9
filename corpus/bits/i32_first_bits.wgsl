//! grid 2
//! in x = i32[0, 1, -1, -2147483648, 2, 12, 2147483647, -2, 240, -256, 1073741824, -5, 62858, -112849, -13878,
//!     288384645]
//! out leading = i32[(-1, 0, -1, 30) x 3, (1, 3, 30, 0) x 3, (7, 7, 30, 2) x 3, (15, 16, 13, 28) x 3]
//! out trailing = i32[(-1, 0, 0, 31) x 3, (1, 2, 0, 1) x 3, (4, 8, 30, 0) x 3, (1, 0, 1, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> leading: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> trailing: array<array<vec4i, 3>>;

// All ones if there is no such bit; in a negative number the highest zero counts.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    leading[i][0] = firstLeadingBit(v);
    leading[i][1] = vec4i(firstLeadingBit(v.xyz), firstLeadingBit(v.w));
    leading[i][2] = vec4i(firstLeadingBit(v.xy), firstLeadingBit(v.zw));
    trailing[i][0] = firstTrailingBit(v);
    trailing[i][1] = vec4i(firstTrailingBit(v.xyz), firstTrailingBit(v.w));
    trailing[i][2] = vec4i(firstTrailingBit(v.xy), firstTrailingBit(v.zw));
}
