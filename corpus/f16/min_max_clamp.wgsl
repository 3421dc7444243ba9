//! grid 2
//! in x = f16[1, -1, 2.5, -2.5, 0, 100, -7, 3, 0.5, 0.25, 1e+04, -1e+04, 6, -6, 0.1, 0.2]
//! in low = f16[0, 0, 1, -1, 0, 10, -8, 3, 0.75, 0, -1, -1, 7, -5, 0.3, 0.1]
//! in high = f16[2, 1, 2, 1, 0, 20, -6, 4, 1, 0.125, 1, 1, 8, 5, 0.4, 0.15]
//! out least = f16[(0, -1, 1, -2.5) x 3, (0, 10, -8, 3) x 3, (0.5, 0, -1, -1e+04) x 3, (6, -6, 0.1, 0.1) x 3]
//! out most = f16[(2, 1, 2.5, 1) x 3, (0, 100, -6, 4) x 3, (1, 0.25, 1e+04, 1) x 3, (8, 5, 0.4, 0.2) x 3]
//! out held = f16[(1, 0, 2, -1) x 3, (0, 20, -7, 3) x 3, (0.75, 0.125, 1, -1) x 3, (7, -5, 0.3, 0.15) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage> low: array<vec4h>;
@group(0) @binding(2) var<storage> high: array<vec4h>;
@group(0) @binding(3) var<storage, read_write> least: array<array<vec4h, 3>>;
@group(0) @binding(4) var<storage, read_write> most: array<array<vec4h, 3>>;
@group(0) @binding(5) var<storage, read_write> held: array<array<vec4h, 3>>;

// clamp(x, low, high) is min(max(x, low), high).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let l_i = low[i];
    let h_i = high[i];
    least[i][0] = min(v, l_i);
    least[i][1] = vec4h(min(v.xyz, l_i.xyz), min(v.w, l_i.w));
    least[i][2] = vec4h(min(v.xy, l_i.xy), min(v.zw, l_i.zw));
    most[i][0] = max(v, h_i);
    most[i][1] = vec4h(max(v.xyz, h_i.xyz), max(v.w, h_i.w));
    most[i][2] = vec4h(max(v.xy, h_i.xy), max(v.zw, h_i.zw));
    held[i][0] = clamp(v, l_i, h_i);
    held[i][1] = vec4h(clamp(v.xyz, l_i.xyz, h_i.xyz), clamp(v.w, l_i.w, h_i.w));
    held[i][2] = vec4h(clamp(v.xy, l_i.xy, h_i.xy), clamp(v.zw, l_i.zw, h_i.zw));
}
