//! ours
//! grid 1
//! in x = f64[1, 1.5, 2, 10, 10000000000, 3, 1.125, 57]
//! out area = f64[(0, 0.9624236501192069, 1.3169578969248168, 2.993222846126381) x 3,
//!     (23.7189981105004, 1.762747174039086, 0.4949329230945269, 4.736121492758925) x 3] ~ 2ulp
//! out degree = f64[(57.29577951308232, 85.94366926962348, 114.59155902616465, 572.9577951308232) x 3,
//!     (572957795130.8232, 171.88733853924697, 64.4577519522176, 3265.8594322456925) x 3] ~ 2ulp
//! out radian = f64[(0.017453292519943295, 0.026179938779914945, 0.03490658503988659, 0.17453292519943295) x 3,
//!     (174532925.19943297, 0.05235987755982989, 0.019634954084936207, 0.9948376736367679) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> area: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> degree: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> radian: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    area[i][0] = acosh(v);
    area[i][1] = vec4<f64>(acosh(v.xyz), acosh(v.w));
    area[i][2] = vec4<f64>(acosh(v.xy), acosh(v.zw));
    degree[i][0] = degrees(v);
    degree[i][1] = vec4<f64>(degrees(v.xyz), degrees(v.w));
    degree[i][2] = vec4<f64>(degrees(v.xy), degrees(v.zw));
    radian[i][0] = radians(v);
    radian[i][1] = vec4<f64>(radians(v.xyz), radians(v.w));
    radian[i][2] = vec4<f64>(radians(v.xy), radians(v.zw));
}
