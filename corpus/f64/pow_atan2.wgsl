//! ours
//! grid 1
//! in a = f64[2, 10, 0.5, 3, 1, -1, -3, 1]
//! in b = f64[0.5, -3, 4, 2.5, 2, 2, -2, -3]
//! out power = f64[(1.4142135623730951, 0.001, 0.0625, 15.588457268119896) x 3,
//!     (1, 1, 0.1111111111111111, 1) x 3] ~ 2ulp
//! out angle = f64[(1.3258176636680326, 1.8622531212727638, 0.12435499454676144, 0.8760580505981934) x 3,
//!     (0.4636476090008061, -0.4636476090008061, -2.158798930342464, 2.819842099193151) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> a: array<vec4<f64>>;
@group(0) @binding(1) var<storage> b: array<vec4<f64>>;
@group(0) @binding(2) var<storage, read_write> power: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> angle: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    power[i][0] = pow(abs(p), q);
    power[i][1] = vec4<f64>(pow(abs(p.xyz), q.xyz), pow(abs(p.w), q.w));
    power[i][2] = vec4<f64>(pow(abs(p.xy), q.xy), pow(abs(p.zw), q.zw));
    angle[i][0] = atan2(p, q);
    angle[i][1] = vec4<f64>(atan2(p.xyz, q.xyz), atan2(p.w, q.w));
    angle[i][2] = vec4<f64>(atan2(p.xy, q.xy), atan2(p.zw, q.zw));
}
