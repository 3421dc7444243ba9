//! grid 2
//! in a = f32[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f32[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! out y = f32[1, -0.625, 1.375] ~ 14ulp f32[0, -3, -0.5] ~ 23ulp abs 4.82e-07
//!     f32[-10.875, -10.625, -31.625] ~ 5ulp f32[0.19000001, 0.04, 0.4] ~ 14ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<array<f32, 3>>;

// Of vectors of two, three and four.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(dot(p.xy, q.xy), dot(p.xyz, q.xyz), dot(p, q));
}
