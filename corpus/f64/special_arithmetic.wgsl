//! ours
//! grid 2
//! in a = f64[inf, inf, 0, -0.0, nan, 1, 1.7976931348623157e+308, -1.7976931348623157e+308, 5e-324,
//!     2.2250738585072014e-308, -0.0, 0, 1, -1, inf, -5e-324]
//! in b = f64[-inf, 0, 0, 0, 1, nan, 1.7976931348623157e+308, 1.7976931348623157e+308, 5e-324, 0.5, -0.0, -5, 0, 0,
//!     inf, 0.5]
//! out sum = f64[(nan, inf, 0, 0) x 3, (nan, nan, inf, 0) x 3, (1e-323, 0.5, -0.0, -5) x 3, (1, -1, inf, 0.5) x 3]
//! out difference = f64[(inf, inf, 0, -0.0) x 3, (nan, nan, 0, -inf) x 3, (0, -0.5, 0, 5) x 3,
//!     (1, -1, nan, -0.5) x 3]
//! out product = f64[(-inf, nan, 0, -0.0) x 3, (nan, nan, inf, -inf) x 3,
//!     (0, 1.1125369292536007e-308, 0, -0.0) x 3, (0, -0.0, inf, -0.0) x 3]
//! out quotient = f64[(nan, inf, nan, nan) x 3, (nan, nan, 1, -1) x 3, (1, 4.450147717014403e-308, nan, -0.0) x 3,
//!     (inf, -inf, nan, -1e-323) x 3]
//! out rest = f64[(nan, nan, nan, nan) x 3, (nan, nan, 0, 0) x 3, (0, 2.2250738585072014e-308, nan, 0) x 3,
//!     (nan, nan, nan, -5e-324) x 3]
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4<f64>, 3>>;
@group(0) @binding(5) var<storage, read_write> quotient: array<array<vec4<f64>, 3>>;
@group(0) @binding(6) var<storage, read_write> rest: array<array<vec4<f64>, 3>>;

// IEEE 754 throughout: infinities, NaN, signed zeros, subnormal numbers.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    sum[i][0] = p + q;
    sum[i][1] = vec4<f64>(p.xyz + q.xyz, p.w + q.w);
    sum[i][2] = vec4<f64>(p.xy + q.xy, p.zw + q.zw);
    difference[i][0] = p - q;
    difference[i][1] = vec4<f64>(p.xyz - q.xyz, p.w - q.w);
    difference[i][2] = vec4<f64>(p.xy - q.xy, p.zw - q.zw);
    product[i][0] = p * q;
    product[i][1] = vec4<f64>(p.xyz * q.xyz, p.w * q.w);
    product[i][2] = vec4<f64>(p.xy * q.xy, p.zw * q.zw);
    quotient[i][0] = p / q;
    quotient[i][1] = vec4<f64>(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4<f64>(p.xy / q.xy, p.zw / q.zw);
    rest[i][0] = p % q;
    rest[i][1] = vec4<f64>(p.xyz % q.xyz, p.w % q.w);
    rest[i][2] = vec4<f64>(p.xy % q.xy, p.zw % q.zw);
}
