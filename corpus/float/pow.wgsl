//! grid 2
//! in a = f32[2, 2, 2, 10, 0.5, 1.5, 3, 0.1, 7, 1, 1.25, 4, 9, 0.01, 5, 0.75]
//! in b = f32[10, -3, 0.5, 3, 4, 2.5, -1, 2, 0, 5, 8, -0.5, 1.5, 0.5, 3, -4]
//! out y = f32[(1024, 0.125, 1.4142135, 1000) x 3] ~ 60ulp
//!     f32[(0.0625, 2.755676, 0.33333334, 0.010000001) x 3] ~ 32ulp f32[(1, 1, 5.9604645, 0.5) x 3] ~ 45ulp
//!     f32[(27, 0.1, 125, 3.1604939) x 3] ~ 48ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4f, 3>>;

// As accurate as exp2(y * log2(x)).
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    y[i][0] = pow(p, q);
    y[i][1] = vec4f(pow(p.xyz, q.xyz), pow(p.w, q.w));
    y[i][2] = vec4f(pow(p.xy, q.xy), pow(p.zw, q.zw));
}
