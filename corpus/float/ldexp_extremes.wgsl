//! ours
//! grid 3
//! in x = f32[1, 1, 1.5, 1, 1, 1e-45, 3.4028235e+38, -1, 1, 1, nan, inf]
//! in n = i32[-149, -150, -150, 127, 128, 276, -277, 1000, -2147483648, 2147483647, 3, -5]
//! out y = f32[(1e-45, 0, 1e-45, 1.7014118e+38) x 3, (inf, 1.7014118e+38, 1e-45, -inf) x 3, (0, inf, nan, inf) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage> n: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4f, 3>>;

// Rounded once, also among the subnormal numbers; any exponent will do.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let n_i = n[i];
    y[i][0] = ldexp(v, n_i);
    y[i][1] = vec4f(ldexp(v.xyz, n_i.xyz), ldexp(v.w, n_i.w));
    y[i][2] = vec4f(ldexp(v.xy, n_i.xy), ldexp(v.zw, n_i.zw));
}
