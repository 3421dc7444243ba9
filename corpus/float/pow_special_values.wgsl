//! ours
//! grid 3
//! in a = f32[0, 0, 0, -2, -2, -2, 1, nan, inf, inf, 0.5, 2]
//! in b = f32[0, 2, -1, 3, 2, 0.5, nan, 0, 2, -1, inf, 1000]
//! out y = f32[(1, 0, inf, -8) x 3, (4, nan, 1, 1) x 3, (inf, 0, 0, inf) x 3]
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4f, 3>>;

// As the C standard has it.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    y[i][0] = pow(p, q);
    y[i][1] = vec4f(pow(p.xyz, q.xyz), pow(p.w, q.w));
    y[i][2] = vec4f(pow(p.xy, q.xy), pow(p.zw, q.zw));
}
