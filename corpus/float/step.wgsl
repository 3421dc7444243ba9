//! grid 1
//! in a = f32[0, 1, -1, 2, 5, 0.5, 0.5, -3]
//! in b = f32[0.5, 1, -2, 1.5, 7, 0.25, 0.75, -2.5]
//! out y = f32[(1, 1, 0, 0) x 3, (1, 0, 1, 1) x 3]
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4f, 3>>;

// 1 from the edge on.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    y[i][0] = step(p, q);
    y[i][1] = vec4f(step(p.xyz, q.xyz), step(p.w, q.w));
    y[i][2] = vec4f(step(p.xy, q.xy), step(p.zw, q.zw));
}
