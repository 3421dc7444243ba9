//! grid 1
//! in x = f32[1, 1.5, -1.25, 3, 0, 0.75, 5, -7]
//! in n = i32[0, 3, -2, 10, 5, -1, 1, 4]
//! out y = f32[(1, 12, -0.3125, 3072) x 3, (0, 0.375, 10, -112) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage> n: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4f, 3>>;

// x * 2^n.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let n_i = n[i];
    y[i][0] = ldexp(v, n_i);
    y[i][1] = vec4f(ldexp(v.xyz, n_i.xyz), ldexp(v.w, n_i.w));
    y[i][2] = vec4f(ldexp(v.xy, n_i.xy), ldexp(v.zw, n_i.zw));
}
