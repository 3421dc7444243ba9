//! ours
//! grid 2
//! in a = f16[inf, inf, 0, -0.0, nan, 1, 6.55e+04, -6.55e+04, 6e-08, 6.104e-05, -0.0, 0, 1, -1, inf, -6e-08]
//! in b = f16[-inf, 0, 0, 0, 1, nan, 6.55e+04, 6.55e+04, 6e-08, 0.5, -0.0, -5, 0, 0, inf, 0.5]
//! out sum = f16[(nan, inf, 0, 0) x 3, (nan, nan, inf, 0) x 3, (1e-07, 0.5, -0.0, -5) x 3, (1, -1, inf, 0.5) x 3]
//! out difference = f16[(inf, inf, 0, -0.0) x 3, (nan, nan, 0, -inf) x 3, (0, -0.5, 0, 5) x 3,
//!     (1, -1, nan, -0.5) x 3]
//! out product = f16[(-inf, nan, 0, -0.0) x 3, (nan, nan, inf, -inf) x 3, (0, 3.05e-05, 0, -0.0) x 3,
//!     (0, -0.0, inf, -0.0) x 3]
//! out quotient = f16[(nan, inf, nan, nan) x 3, (nan, nan, 1, -1) x 3, (1, 0.0001221, nan, -0.0) x 3,
//!     (inf, -inf, nan, -1e-07) x 3]
//! out rest = f16[(nan, nan, nan, nan) x 3, (nan, nan, 0, 0) x 3, (0, 6.104e-05, nan, 0) x 3,
//!     (nan, nan, nan, -6e-08) x 3]
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage> b: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4h, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4h, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4h, 3>>;
@group(0) @binding(5) var<storage, read_write> quotient: array<array<vec4h, 3>>;
@group(0) @binding(6) var<storage, read_write> rest: array<array<vec4h, 3>>;

// IEEE 754 throughout: infinities, NaN, signed zeros, subnormal numbers.
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
    rest[i][0] = p % q;
    rest[i][1] = vec4h(p.xyz % q.xyz, p.w % q.w);
    rest[i][2] = vec4h(p.xy % q.xy, p.zw % q.zw);
}
