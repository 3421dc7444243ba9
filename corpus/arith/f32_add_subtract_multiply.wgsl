//! grid 2
//! in a = f32[1.5, 0.1, -7.25, 1000, -9.524089, 11.954477, 84.84212, -6.869986, 1.5682546, 17.476965, -63.067932,
//!     2.3817277, 25.976543, 58.595375, -81.17531, -39.319748]
//! in b = f32[2.25, 0.2, 3.5, 0.001, -8.186589, 6.1928906, 3.8687696, -9.162394, 9.643868, 9.295156, 3.0784507,
//!     2.311254, -6.850118, -9.6999855, 0.56762534, -8.808978]
//! out sum = f32[(3.75, 0.3, -3.75, 1000.001) x 3, (-17.710678, 18.147367, 88.710884, -16.03238) x 3,
//!     (11.212123, 26.772121, -59.989483, 4.6929817) x 3, (19.126425, 48.89539, -80.60768, -48.128727) x 3] ~ 1ulp
//! out difference = f32[(-0.75, -0.1, -10.75, 999.999) x 3, (-1.3374996, 5.7615867, 80.97335, 2.2924075) x 3,
//!     (-8.075614, 8.181809, -66.146385, 0.07047367) x 3, (32.82666, 68.295364, -81.742935, -30.510769) x 3] ~ 1ulp
//! out product = f32[(3.375, 0.020000001, -25.375, 1) x 3, (77.9698, 74.03277, 328.23462, 62.945515) x 3,
//!     (15.124041, 162.45111, -194.15152, 5.504778) x 3, (-177.9424, -568.37427, -46.077164, 346.3668) x 3] ~ 1ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4f, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4f, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4f, 3>>;

// Rounded to one of the two nearest.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    sum[i][0] = p + q;
    sum[i][1] = vec4f(p.xyz + q.xyz, p.w + q.w);
    sum[i][2] = vec4f(p.xy + q.xy, p.zw + q.zw);
    difference[i][0] = p - q;
    difference[i][1] = vec4f(p.xyz - q.xyz, p.w - q.w);
    difference[i][2] = vec4f(p.xy - q.xy, p.zw - q.zw);
    product[i][0] = p * q;
    product[i][1] = vec4f(p.xyz * q.xyz, p.w * q.w);
    product[i][2] = vec4f(p.xy * q.xy, p.zw * q.zw);
}
