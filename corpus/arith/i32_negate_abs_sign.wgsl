//! grid 2
//! in x = i32[0, 1, 2147483647, -2147483648, 7, -7, 7, 2147483647, 715827882, -1073741824, 2147483647, 46341,
//!     -1499591369, 648258640, 154112043, 31936245]
//! out negated = i32[(0, -1, -2147483647, -2147483648) x 3, (-7, 7, -7, -2147483647) x 3,
//!     (-715827882, 1073741824, -2147483647, -46341) x 3, (1499591369, -648258640, -154112043, -31936245) x 3]
//! out absolute = i32[(0, 1, 2147483647, -2147483648) x 3, (7, 7, 7, 2147483647) x 3,
//!     (715827882, 1073741824, 2147483647, 46341) x 3, (1499591369, 648258640, 154112043, 31936245) x 3]
//! out signs = i32[(0, 1, 1, -1) x 3, (1, -1, 1, 1) x 3, (1, -1, 1, 1) x 3, (-1, 1, 1, 1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> negated: array<array<vec4i, 3>>;
@group(0) @binding(2) var<storage, read_write> absolute: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> signs: array<array<vec4i, 3>>;

// The least number has no opposite: it stays itself.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    negated[i][0] = -v;
    negated[i][1] = vec4i(-v.xyz, -v.w);
    negated[i][2] = vec4i(-v.xy, -v.zw);
    absolute[i][0] = abs(v);
    absolute[i][1] = vec4i(abs(v.xyz), abs(v.w));
    absolute[i][2] = vec4i(abs(v.xy), abs(v.zw));
    signs[i][0] = sign(v);
    signs[i][1] = vec4i(sign(v.xyz), sign(v.w));
    signs[i][2] = vec4i(sign(v.xy), sign(v.zw));
}
