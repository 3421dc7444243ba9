//! grid 2
//! in x = u64[0, 1, 18446744073709551615, 0, 7, 0, 7, 18446744073709551615, 6148914691236517205, 12345,
//!     18446744073709551615, 46341, 5787620081580088010, 17426290450518894647, 8220621215424424357,
//!     6401117268241863454]
//! in low = u64[0, 0, 0, 0, 1, 0, 1, 9223372036854775807, 1, 1, 1, 23170, 4158581454543307, 135002261922665363,
//!     27678510338010683, 68063846639]
//! in high = u64[3, 9223372036854775810, 9223372036854775810, 3, 6, 4, 6, 9223372036854775810, 3074457345618258605,
//!     6175, 9223372036854775810, 23173, 2893810040790044008, 8713145225259447326, 4110310607712212181,
//!     3200558634120931730]
//! out least = u64[(0, 0, 0, 0) x 3, (1, 0, 1, 9223372036854775807) x 3, (1, 1, 1, 23170) x 3,
//!     (4158581454543307, 135002261922665363, 27678510338010683, 68063846639) x 3]
//! out most = u64[(3, 9223372036854775810, 18446744073709551615, 3) x 3, (7, 4, 7, 18446744073709551615) x 3,
//!     (6148914691236517205, 12345, 18446744073709551615, 46341) x 3,
//!     (5787620081580088010, 17426290450518894647, 8220621215424424357, 6401117268241863454) x 3]
//! out held = u64[(0, 1, 9223372036854775810, 0) x 3, (6, 0, 6, 9223372036854775810) x 3,
//!     (3074457345618258605, 6175, 9223372036854775810, 23173) x 3,
//!     (2893810040790044008, 8713145225259447326, 4110310607712212181, 3200558634120931730) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage> low: array<vec4<u64>>;
@group(0) @binding(2) var<storage> high: array<vec4<u64>>;
@group(0) @binding(3) var<storage, read_write> least: array<array<vec4<u64>, 3>>;
@group(0) @binding(4) var<storage, read_write> most: array<array<vec4<u64>, 3>>;
@group(0) @binding(5) var<storage, read_write> held: array<array<vec4<u64>, 3>>;

// clamp(x, low, high) is min(max(x, low), high).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let l_i = low[i];
    let h_i = high[i];
    least[i][0] = min(v, l_i);
    least[i][1] = vec4<u64>(min(v.xyz, l_i.xyz), min(v.w, l_i.w));
    least[i][2] = vec4<u64>(min(v.xy, l_i.xy), min(v.zw, l_i.zw));
    most[i][0] = max(v, h_i);
    most[i][1] = vec4<u64>(max(v.xyz, h_i.xyz), max(v.w, h_i.w));
    most[i][2] = vec4<u64>(max(v.xy, h_i.xy), max(v.zw, h_i.zw));
    held[i][0] = clamp(v, l_i, h_i);
    held[i][1] = vec4<u64>(clamp(v.xyz, l_i.xyz, h_i.xyz), clamp(v.w, l_i.w, h_i.w));
    held[i][2] = vec4<u64>(clamp(v.xy, l_i.xy, h_i.xy), clamp(v.zw, l_i.zw, h_i.zw));
}
