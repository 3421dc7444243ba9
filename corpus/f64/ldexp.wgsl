//! ours
//! grid 1
//! in x = f64[1, 1.5, 1, 1, 5e-324, 1, 1, 0]
//! in n = i32[3, -1074, -1075, 1023, 2097, 1024, -2147483648, 2147483647]
//! out y = f64[(8, 1e-323, 0, 8.98846567431158e+307) x 3, (8.98846567431158e+307, inf, 0, 0) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage> n: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4<f64>, 3>>;

// Rounded once, for any exponent.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let n_i = n[i];
    y[i][0] = ldexp(v, n_i);
    y[i][1] = vec4<f64>(ldexp(v.xyz, n_i.xyz), ldexp(v.w, n_i.w));
    y[i][2] = vec4<f64>(ldexp(v.xy, n_i.xy), ldexp(v.zw, n_i.zw));
}
