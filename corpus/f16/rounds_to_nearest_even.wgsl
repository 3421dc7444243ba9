//! ours
//! grid 2
//! in a = f16[1.5, 0.1, -7.25, 1e+03, -61.97, -51.62, -94, -7.215, -11.89, 68.5, 3.824, 28.06, -0.04538, 32.5,
//!     -8.53, -44.38]
//! in b = f16[2.25, 0.2, 3.5, 0.001, 9.95, 9.914, 6.805, 4.156, -3.695, -5.406, -4.22, -8.59, 5.324, -1.992, 6.934,
//!     -2.27]
//! out sum = f16[(3.75, 0.2998, -3.75, 1e+03) x 3, (-52, -41.72, -87.2, -3.059) x 3,
//!     (-15.586, 63.1, -0.3945, 19.47) x 3, (5.277, 30.5, -1.598, -46.66) x 3]
//! out difference = f16[(-0.75, -0.1, -10.75, 1e+03) x 3, (-71.94, -61.53, -100.8, -11.375) x 3,
//!     (-8.195, 73.9, 8.05, 36.66) x 3, (-5.37, 34.5, -15.47, -42.1) x 3]
//! out product = f16[(3.375, 0.01999, -25.38, 1) x 3, (-617, -511.8, -639.5, -29.98) x 3,
//!     (43.94, -370.2, -16.14, -241.1) x 3, (-0.2416, -64.75, -59.16, 100.7) x 3]
//! out quotient = f16[(0.6665, 0.5, -2.072, inf) x 3, (-6.227, -5.207, -13.81, -1.736) x 3,
//!     (3.217, -12.67, -0.9062, -3.266) x 3, (-0.00852, -16.31, -1.23, 19.55) x 3]
//! out root = f16[(1.225, 0.3162, 2.693, 31.62) x 3, (7.87, 7.184, 9.695, 2.686) x 3,
//!     (3.45, 8.27, 1.955, 5.297) x 3, (0.213, 5.7, 2.92, 6.66) x 3]
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4h, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4h, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4h, 3>>;
@group(0) @binding(5) var<storage, read_write> quotient: array<array<vec4h, 3>>;
@group(0) @binding(6) var<storage, read_write> root: array<array<vec4h, 3>>;

// Every operation by itself, as IEEE 754 has it.
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
    quotient[i][0] = p / q;
    quotient[i][1] = vec4h(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4h(p.xy / q.xy, p.zw / q.zw);
    root[i][0] = sqrt(abs(p));
    root[i][1] = vec4h(sqrt(abs(p.xyz)), sqrt(abs(p.w)));
    root[i][2] = vec4h(sqrt(abs(p.xy)), sqrt(abs(p.zw)));
}
