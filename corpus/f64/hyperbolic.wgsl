//! ours
//! grid 1
//! in x = f64[0.5, 1, -1, 0.1, 2, -2.5, 0.75, 3]
//! out sine = f64[(0.5210953054937474, 1.1752011936438014, -1.1752011936438014, 0.10016675001984403) x 3,
//!     (3.6268604078470186, -6.0502044810397875, 0.82231673193583, 10.017874927409903) x 3] ~ 2ulp
//! out cosine = f64[(1.1276259652063807, 1.5430806348152437, 1.5430806348152437, 1.0050041680558035) x 3,
//!     (3.7621956910836314, 6.132289479663686, 1.2946832846768448, 10.067661995777765) x 3] ~ 2ulp
//! out tangent = f64[(0.46211715726000974, 0.7615941559557649, -0.7615941559557649, 0.09966799462495582) x 3,
//!     (0.9640275800758169, -0.9866142981514303, 0.6351489523872873, 0.9950547536867305) x 3] ~ 2ulp
//! out area = f64[(0.48121182505960347, 0.881373587019543, -0.881373587019543, 0.09983407889920756) x 3,
//!     (1.4436354751788103, -1.6472311463710958, 0.6931471805599453, 1.8184464592320668) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> sine: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> cosine: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> tangent: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> area: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    sine[i][0] = sinh(v);
    sine[i][1] = vec4<f64>(sinh(v.xyz), sinh(v.w));
    sine[i][2] = vec4<f64>(sinh(v.xy), sinh(v.zw));
    cosine[i][0] = cosh(v);
    cosine[i][1] = vec4<f64>(cosh(v.xyz), cosh(v.w));
    cosine[i][2] = vec4<f64>(cosh(v.xy), cosh(v.zw));
    tangent[i][0] = tanh(v);
    tangent[i][1] = vec4<f64>(tanh(v.xyz), tanh(v.w));
    tangent[i][2] = vec4<f64>(tanh(v.xy), tanh(v.zw));
    area[i][0] = asinh(v);
    area[i][1] = vec4<f64>(asinh(v.xyz), asinh(v.w));
    area[i][2] = vec4<f64>(asinh(v.xy), asinh(v.zw));
}
