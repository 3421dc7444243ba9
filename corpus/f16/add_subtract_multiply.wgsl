//! grid 2
//! in a = f16[1.5, 0.1, -7.25, 1e+03, -61.97, -51.62, -94, -7.215, -11.89, 68.5, 3.824, 28.06, -0.04538, 32.5,
//!     -8.53, -44.38]
//! in b = f16[2.25, 0.2, 3.5, 0.001, 9.95, 9.914, 6.805, 4.156, -3.695, -5.406, -4.22, -8.59, 5.324, -1.992, 6.934,
//!     -2.27]
//! out sum = f16[(3.75, 0.2998, -3.75, 1e+03) x 3, (-52, -41.72, -87.2, -3.059) x 3,
//!     (-15.586, 63.1, -0.3945, 19.47) x 3, (5.277, 30.5, -1.598, -46.66) x 3] ~ 1ulp
//! out difference = f16[(-0.75, -0.1, -10.75, 1e+03) x 3, (-71.94, -61.53, -100.8, -11.375) x 3,
//!     (-8.195, 73.9, 8.05, 36.66) x 3, (-5.37, 34.5, -15.47, -42.1) x 3] ~ 1ulp
//! out product = f16[(3.375, 0.01999, -25.38, 1) x 3, (-617, -511.8, -639.5, -29.98) x 3,
//!     (43.94, -370.2, -16.14, -241.1) x 3, (-0.2416, -64.75, -59.16, 100.7) x 3] ~ 1ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4h, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4h, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4h, 3>>;

// Rounded to one of the two nearest.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    sum[i][0] = p + q;
    sum[i][1] = vec4h(p.xyz + q.xyz, p.w + q.w);
    sum[i][2] = vec4h(p.xy + q.xy, p.zw + q.zw);
    difference[i][0] = p - q;
    difference[i][1] = vec4h(p.xyz - q.xyz, p.w - q.w);
    difference[i][2] = vec4h(p.xy - q.xy, p.zw - q.zw);
    product[i][0] = p * q;
    product[i][1] = vec4h(p.xyz * q.xyz, p.w * q.w);
    product[i][2] = vec4h(p.xy * q.xy, p.zw * q.zw);
}
