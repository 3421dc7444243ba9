//! grid 2
//! in x = i32[0, 1, 2147483647, -2147483648, 7, -7, 7, 2147483647, 715827882, -1073741824, 2147483647, 46341,
//!     -1499591369, 648258640, 154112043, 31936245]
//! in low = i32[0, 0, 0, -1073741824, 1, -4, -1, 1073741823, 1, -536870912, 1, 23170, -749795685, -1372844,
//!     -20261726, 15968122]
//! in high = i32[3, 1073741826, 1073741826, 2, 6, 4, 6, 1073741826, 357913944, 4, 1073741826, 23173, -121240,
//!     324129323, 77056024, 480445466]
//! out least = i32[(0, 0, 0, -2147483648) x 3, (1, -7, -1, 1073741823) x 3, (1, -1073741824, 1, 23170) x 3,
//!     (-1499591369, -1372844, -20261726, 15968122) x 3]
//! out most = i32[(3, 1073741826, 2147483647, 2) x 3, (7, 4, 7, 2147483647) x 3,
//!     (715827882, 4, 2147483647, 46341) x 3, (-121240, 648258640, 154112043, 480445466) x 3]
//! out held = i32[(0, 1, 1073741826, -1073741824) x 3, (6, -4, 6, 1073741826) x 3,
//!     (357913944, -536870912, 1073741826, 23173) x 3, (-749795685, 324129323, 77056024, 31936245) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage> low: array<vec4i>;
@group(0) @binding(2) var<storage> high: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> least: array<array<vec4i, 3>>;
@group(0) @binding(4) var<storage, read_write> most: array<array<vec4i, 3>>;
@group(0) @binding(5) var<storage, read_write> held: array<array<vec4i, 3>>;

// clamp(x, low, high) is min(max(x, low), high).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let l_i = low[i];
    let h_i = high[i];
    least[i][0] = min(v, l_i);
    least[i][1] = vec4i(min(v.xyz, l_i.xyz), min(v.w, l_i.w));
    least[i][2] = vec4i(min(v.xy, l_i.xy), min(v.zw, l_i.zw));
    most[i][0] = max(v, h_i);
    most[i][1] = vec4i(max(v.xyz, h_i.xyz), max(v.w, h_i.w));
    most[i][2] = vec4i(max(v.xy, h_i.xy), max(v.zw, h_i.zw));
    held[i][0] = clamp(v, l_i, h_i);
    held[i][1] = vec4i(clamp(v.xyz, l_i.xyz, h_i.xyz), clamp(v.w, l_i.w, h_i.w));
    held[i][2] = vec4i(clamp(v.xy, l_i.xy, h_i.xy), clamp(v.zw, l_i.zw, h_i.zw));
}
