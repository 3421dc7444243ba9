//! grid 2
//! in a = f16[1.5, 0.1, -7.25, 1e+03, -61.97, -51.62, -94, -7.215, -11.89, 68.5, 3.824, 28.06, -0.04538, 32.5,
//!     -8.53, -44.38]
//! in b = f16[2.25, 0.2, 3.5, 0.001, 9.95, 9.914, 6.805, 4.156, -3.695, -5.406, -4.22, -8.59, 5.324, -1.992, 6.934,
//!     -2.27]
//! out quotient = f16[(0.6665, 0.5, -2.072, inf) x 3, (-6.227, -5.207, -13.81, -1.736) x 3,
//!     (3.217, -12.67, -0.9062, -3.266) x 3, (-0.00852, -16.31, -1.23, 19.55) x 3] ~ 3ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> quotient: array<array<vec4h, 3>>;

// Within 2.5 units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    quotient[i][0] = p / q;
    quotient[i][1] = vec4h(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4h(p.xy / q.xy, p.zw / q.zw);
}
