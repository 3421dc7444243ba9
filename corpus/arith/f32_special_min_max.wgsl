//! ours
//! grid 1
//! in a = f32[nan, 1, 0, -0.0, nan, inf, -inf, 2]
//! in b = f32[1, nan, -0.0, 0, nan, 1, 1, 2]
//! out least = f32[(nan, 1, 0, -0.0) x 3, (nan, 1, -inf, 2) x 3]
//! out most = f32[(nan, 1, 0, -0.0) x 3, (nan, inf, 1, 2) x 3]
//! out held = f32[(nan, 1, 0, -0.0) x 3, (nan, 1, 0, 1) x 3]
//! out signs = f32[(0, 1, 0, 0) x 3, (0, 1, -1, 1) x 3]
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> least: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> most: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> held: array<array<vec4f, 3>>;
@group(0) @binding(5) var<storage, read_write> signs: array<array<vec4f, 3>>;

// The second operand counts only if it is really less, or greater.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    least[i][0] = min(p, q);
    least[i][1] = vec4f(min(p.xyz, q.xyz), min(p.w, q.w));
    least[i][2] = vec4f(min(p.xy, q.xy), min(p.zw, q.zw));
    most[i][0] = max(p, q);
    most[i][1] = vec4f(max(p.xyz, q.xyz), max(p.w, q.w));
    most[i][2] = vec4f(max(p.xy, q.xy), max(p.zw, q.zw));
    held[i][0] = saturate(p);
    held[i][1] = vec4f(saturate(p.xyz), saturate(p.w));
    held[i][2] = vec4f(saturate(p.xy), saturate(p.zw));
    signs[i][0] = sign(p);
    signs[i][1] = vec4f(sign(p.xyz), sign(p.w));
    signs[i][2] = vec4f(sign(p.xy), sign(p.zw));
}
