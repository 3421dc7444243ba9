//! ours
//! grid 3
//! in x = f32[2049, 2051, 0.1, 65519, 65520, -1e+09, inf, nan, 6e-08, 2.9802322e-08, 2.9802326e-08, -0.0]
//! out y = f16[(2.048e+03, 2.052e+03, 0.1, 6.55e+04) x 3, (inf, -inf, inf, nan) x 3, (6e-08, 0, 6e-08, -0.0) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Ties to even; too large becomes infinite, too small subnormal or zero.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4h(v);
    y[i][1] = vec4h(vec3h(v.xyz), f16(v.w));
    y[i][2] = vec4h(vec2h(v.xy), vec2h(v.zw));
}
