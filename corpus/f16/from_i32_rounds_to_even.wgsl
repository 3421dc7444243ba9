//! ours
//! grid 1
//! in x = i32[2049, 2051, -2049, 4098, 65519, 65520, -65520, 2147483647]
//! out y = f16[(2.048e+03, 2.052e+03, -2.048e+03, 4.096e+03) x 3, (6.55e+04, inf, -inf, inf) x 3]
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Ties to even; too large becomes infinite.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4h(v);
    y[i][1] = vec4h(vec3h(v.xyz), f16(v.w));
    y[i][2] = vec4h(vec2h(v.xy), vec2h(v.zw));
}
