//! grid 2
//! in x = u32[0, 1, 4294967295, 0, 7, 0, 7, 4294967295, 1431655765, 12345, 4294967295, 46341, 1703729684,
//!     4192983756, 3687093963, 1243862422]
//! in low = u32[0, 0, 0, 0, 1, 0, 1, 2147483647, 1, 1, 1, 23170, 6064171, 199929408, 18937057, 1115098]
//! in high = u32[3, 2147483650, 2147483650, 3, 6, 4, 6, 2147483650, 715827885, 6175, 2147483650, 23173, 851864845,
//!     2096491881, 1843546984, 621931214]
//! out least = u32[(0, 0, 0, 0) x 3, (1, 0, 1, 2147483647) x 3, (1, 1, 1, 23170) x 3,
//!     (6064171, 199929408, 18937057, 1115098) x 3]
//! out most = u32[(3, 2147483650, 4294967295, 3) x 3, (7, 4, 7, 4294967295) x 3,
//!     (1431655765, 12345, 4294967295, 46341) x 3, (1703729684, 4192983756, 3687093963, 1243862422) x 3]
//! out held = u32[(0, 1, 2147483650, 0) x 3, (6, 0, 6, 2147483650) x 3, (715827885, 6175, 2147483650, 23173) x 3,
//!     (851864845, 2096491881, 1843546984, 621931214) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage> low: array<vec4u>;
@group(0) @binding(2) var<storage> high: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> least: array<array<vec4u, 3>>;
@group(0) @binding(4) var<storage, read_write> most: array<array<vec4u, 3>>;
@group(0) @binding(5) var<storage, read_write> held: array<array<vec4u, 3>>;

// clamp(x, low, high) is min(max(x, low), high).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let l_i = low[i];
    let h_i = high[i];
    least[i][0] = min(v, l_i);
    least[i][1] = vec4u(min(v.xyz, l_i.xyz), min(v.w, l_i.w));
    least[i][2] = vec4u(min(v.xy, l_i.xy), min(v.zw, l_i.zw));
    most[i][0] = max(v, h_i);
    most[i][1] = vec4u(max(v.xyz, h_i.xyz), max(v.w, h_i.w));
    most[i][2] = vec4u(max(v.xy, h_i.xy), max(v.zw, h_i.zw));
    held[i][0] = clamp(v, l_i, h_i);
    held[i][1] = vec4u(clamp(v.xyz, l_i.xyz, h_i.xyz), clamp(v.w, l_i.w, h_i.w));
    held[i][2] = vec4u(clamp(v.xy, l_i.xy, h_i.xy), clamp(v.zw, l_i.zw, h_i.zw));
}
