//! grid 2
//! in a = f16[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! in b = f16[2, 1, -0.5, 4, 0.5, -8, 3, 1.25, 2.5, -1.5, 0.25, 7, 0.7, 0.6, -0.5, 0.9]
//! out y = f16[1, -0.625, 1.375] ~ 14ulp f16[0, -3, -0.5] ~ 23ulp abs 0.00395 f16[-10.875, -10.625, -31.62] ~ 5ulp
//!     f16[0.19, 0.03998, 0.4] ~ 14ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> y: array<array<f16, 3>>;

// Of vectors of two, three and four.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(dot(p.xy, q.xy), dot(p.xyz, q.xyz), dot(p, q));
}
