//! grid 3
//! in x = f32[1, 0.5, 8, -3, 0, 100, -0.1, 1e+30, 1e-30, 65535, 2, -0.75]
//! out fraction = f32[(0.5, 0.5, 0.5, -0.75) x 3, (0, 0.78125, -0.8, 0.7888609) x 3,
//!     (0.6338253, 0.99998474, 0.5, -0.75) x 3]
//! out exponent = i32[(1, 0, 4, 2) x 3, (_, 7, -3, 100) x 3, (-99, 16, 2, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> fraction: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> exponent: array<array<vec4i, 3>>;

// x is fract * 2^exp with a fraction from 0.5 to 1.
@compute @workgroup_size(1)
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
