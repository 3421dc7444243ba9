//! ours
//! grid 1
//! in x = f32[0, -0.0, inf, -inf, nan, 1e-45, -1e-40, 3.4028235e+38]
//! out fraction = f32[(0, -0.0, inf, -inf) x 3, (nan, 0.5, -0.54444885, 0.99999994) x 3]
//! out exponent = i32[(0, 0, 0, 0) x 3, (0, -148, -132, 128) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> fraction: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> exponent: array<array<vec4i, 3>>;

// Zeros, infinities and NaN have the exponent 0; subnormal numbers are split like all others.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    fraction[i][0] = frexp(v).fract;
    fraction[i][1] = vec4f(frexp(v.xyz).fract, frexp(v.w).fract);
    fraction[i][2] = vec4f(frexp(v.xy).fract, frexp(v.zw).fract);
    exponent[i][0] = frexp(v).exp;
    exponent[i][1] = vec4i(frexp(v.xyz).exp, frexp(v.w).exp);
    exponent[i][2] = vec4i(frexp(v.xy).exp, frexp(v.zw).exp);
}
