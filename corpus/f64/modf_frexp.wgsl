//! ours
//! grid 1
//! in x = f64[0, 1.25, -1.25, 3, 100.5, -100.5, 0.75, 8]
//! out fraction = f64[(0, 0.25, -0.25, 0) x 3, (0.5, -0.5, 0.75, 0) x 3] ~ 1ulp
//! out whole = f64[(0, 1, -1, 3) x 3, (100, -100, 0, 8) x 3] ~ 1ulp
//! out mantissa = f64[(0, 0.625, -0.625, 0.75) x 3, (0.78515625, -0.78515625, 0.75, 0.5) x 3]
//! out exponent = i64[(0, 1, 1, 2) x 3, (7, 7, 0, 4) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> fraction: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> whole: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> mantissa: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> exponent: array<array<vec4<i64>, 3>>;

// Fractions, whole parts and exponents.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    fraction[i][0] = modf(v).fract;
    fraction[i][1] = vec4<f64>(modf(v.xyz).fract, modf(v.w).fract);
    fraction[i][2] = vec4<f64>(modf(v.xy).fract, modf(v.zw).fract);
    whole[i][0] = modf(v).whole;
    whole[i][1] = vec4<f64>(modf(v.xyz).whole, modf(v.w).whole);
    whole[i][2] = vec4<f64>(modf(v.xy).whole, modf(v.zw).whole);
    mantissa[i][0] = frexp(v).fract;
    mantissa[i][1] = vec4<f64>(frexp(v.xyz).fract, frexp(v.w).fract);
    mantissa[i][2] = vec4<f64>(frexp(v.xy).fract, frexp(v.zw).fract);
    exponent[i][0] = frexp(v).exp;
    exponent[i][1] = vec4<i64>(frexp(v.xyz).exp, frexp(v.w).exp);
    exponent[i][2] = vec4<i64>(frexp(v.xy).exp, frexp(v.zw).exp);
}
