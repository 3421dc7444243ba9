//! ours
//! grid 3
//! in x = f32[65519, 65520, -1e+06, inf, nan, 1e-08, 6e-08, -3e-08, 2049, 2051, 0.1, -0.0]
//! out y = f32[(65504, inf, -inf, inf) x 3, (nan, 0, 5.9604645e-08, -5.9604645e-08) x 3,
//!     (2048, 2052, 0.099975586, -0.0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Ties to even; too large becomes infinite, too small subnormal or zero.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = quantizeToF16(v);
    y[i][1] = vec4f(quantizeToF16(v.xyz), quantizeToF16(v.w));
    y[i][2] = vec4f(quantizeToF16(v.xy), quantizeToF16(v.zw));
}
