//! grid 2
//! in a = f32[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f32[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! out y = f32[3.0413814, 4.828302, 5.9634304, 0.5] ~ 11ulp f32[8.961724, 9.813893, 9.84251, 3.5] ~ 11ulp
//!     f32[8.173891, 8.208227, 12.937349, 3.25] ~ 12ulp f32[0.7211103, 1.0770329, 1.1874342, 0.59999996] ~ 11ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<array<f32, 4>>;

// The length of the difference.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(distance(p.xy, q.xy), distance(p.xyz, q.xyz), distance(p, q), distance(p.x, q.x));
}
