//! ours
//! grid 1
//! in x = f64[0.5, 1, -1, 0.1, 2, -2.5, 0.75, 3]
//! out sine = f64[(0.479425538604203, 0.8414709848078965, -0.8414709848078965, 0.09983341664682815) x 3,
//!     (0.9092974268256817, -0.5984721441039565, 0.6816387600233341, 0.1411200080598672) x 3] ~ 2ulp
//! out cosine = f64[(0.8775825618903728, 0.5403023058681398, 0.5403023058681398, 0.9950041652780258) x 3,
//!     (-0.4161468365471424, -0.8011436155469337, 0.7316888688738209, -0.9899924966004454) x 3] ~ 2ulp
//! out tangent = f64[(0.5463024898437905, 1.5574077246549023, -1.5574077246549023, 0.10033467208545055) x 3,
//!     (-2.185039863261519, 0.7470222972386603, 0.9315964599440725, -0.1425465430742778) x 3] ~ 2ulp
//! out arc = f64[(0.4636476090008061, 0.7853981633974483, -0.7853981633974483, 0.09966865249116204) x 3,
//!     (1.1071487177940904, -1.1902899496825317, 0.6435011087932844, 1.2490457723982544) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> sine: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> cosine: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> tangent: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> arc: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    sine[i][0] = sin(v);
    sine[i][1] = vec4<f64>(sin(v.xyz), sin(v.w));
    sine[i][2] = vec4<f64>(sin(v.xy), sin(v.zw));
    cosine[i][0] = cos(v);
    cosine[i][1] = vec4<f64>(cos(v.xyz), cos(v.w));
    cosine[i][2] = vec4<f64>(cos(v.xy), cos(v.zw));
    tangent[i][0] = tan(v);
    tangent[i][1] = vec4<f64>(tan(v.xyz), tan(v.w));
    tangent[i][2] = vec4<f64>(tan(v.xy), tan(v.zw));
    arc[i][0] = atan(v);
    arc[i][1] = vec4<f64>(atan(v.xyz), atan(v.w));
    arc[i][2] = vec4<f64>(atan(v.xy), atan(v.zw));
}
