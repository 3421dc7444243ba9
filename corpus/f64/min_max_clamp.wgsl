//! grid 1
//! in x = f64[1, -1, 2.5, -2.5, 0, 1e+300, -7, 3]
//! in low = f64[0, 0, 1, -1, 0, 10, -8, 3]
//! in high = f64[2, 1, 2, 1, 0, 20, -6, 4]
//! out least = f64[(0, -1, 1, -2.5) x 3, (0, 10, -8, 3) x 3]
//! out most = f64[(2, 1, 2.5, 1) x 3, (0, 1e+300, -6, 4) x 3]
//! out held = f64[(1, 0, 2, -1) x 3, (0, 20, -7, 3) x 3]
//! out saturated = f64[(1, 0, 1, 0) x 3, (0, 1, 0, 1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage> low: array<vec4<f64>>;
@group(0) @binding(2) var<storage> high: array<vec4<f64>>;
@group(0) @binding(3) var<storage, read_write> least: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> most: array<array<vec4<f64>, 3>>;
@group(0) @binding(5) var<storage, read_write> held: array<array<vec4<f64>, 3>>;
@group(0) @binding(6) var<storage, read_write> saturated: array<array<vec4<f64>, 3>>;

// clamp(x, low, high) is min(max(x, low), high).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let l_i = low[i];
    let h_i = high[i];
    least[i][0] = min(v, l_i);
    least[i][1] = vec4<f64>(min(v.xyz, l_i.xyz), min(v.w, l_i.w));
    least[i][2] = vec4<f64>(min(v.xy, l_i.xy), min(v.zw, l_i.zw));
    most[i][0] = max(v, h_i);
    most[i][1] = vec4<f64>(max(v.xyz, h_i.xyz), max(v.w, h_i.w));
    most[i][2] = vec4<f64>(max(v.xy, h_i.xy), max(v.zw, h_i.zw));
    held[i][0] = clamp(v, l_i, h_i);
    held[i][1] = vec4<f64>(clamp(v.xyz, l_i.xyz, h_i.xyz), clamp(v.w, l_i.w, h_i.w));
    held[i][2] = vec4<f64>(clamp(v.xy, l_i.xy, h_i.xy), clamp(v.zw, l_i.zw, h_i.zw));
    saturated[i][0] = saturate(v);
    saturated[i][1] = vec4<f64>(saturate(v.xyz), saturate(v.w));
    saturated[i][2] = vec4<f64>(saturate(v.xy), saturate(v.zw));
}
