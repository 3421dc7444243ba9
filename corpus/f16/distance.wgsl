//! grid 2
//! in a = f16[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f16[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! out y = f16[3.041, 4.83, 5.965, 0.5] ~ 11ulp f16[8.96, 9.81, 9.84, 3.5] ~ 11ulp
//!     f16[8.17, 8.21, 12.94, 3.25] ~ 12ulp f16[0.721, 1.077, 1.1875, 0.6] ~ 11ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> y: array<array<f16, 4>>;

// The length of the difference.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(distance(p.xy, q.xy), distance(p.xyz, q.xyz), distance(p, q), distance(p.x, q.x));
}
