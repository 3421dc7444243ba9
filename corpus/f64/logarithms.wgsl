//! ours
//! grid 1
//! in x = f64[0.5, 1, 2, 10, 1e-300, 1e+300, 0.3, 7]
//! out natural = f64[(-0.6931471805599453, 0, 0.6931471805599453, 2.302585092994046) x 3,
//!     (-690.7755278982137, 690.7755278982137, -1.2039728043259361, 1.9459101490553132) x 3] ~ 2ulp
//! out binary = f64[(-1, 0, 1, 3.321928094887362) x 3,
//!     (-996.5784284662087, 996.5784284662087, -1.7369655941662063, 2.807354922057604) x 3] ~ 2ulp
//! out root = f64[(0.7071067811865476, 1, 1.4142135623730951, 3.1622776601683795) x 3,
//!     (1e-150, 1e+150, 0.5477225575051661, 2.6457513110645907) x 3] ~ 2ulp
//! out inverse = f64[(1.4142135623730951, 1, 0.7071067811865476, 0.31622776601683794) x 3,
//!     (1e+150, 1e-150, 1.8257418583505538, 0.37796447300922725) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> natural: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> binary: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> root: array<array<vec4<f64>, 3>>;
@group(0) @binding(4) var<storage, read_write> inverse: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    natural[i][0] = log(v);
    natural[i][1] = vec4<f64>(log(v.xyz), log(v.w));
    natural[i][2] = vec4<f64>(log(v.xy), log(v.zw));
    binary[i][0] = log2(v);
    binary[i][1] = vec4<f64>(log2(v.xyz), log2(v.w));
    binary[i][2] = vec4<f64>(log2(v.xy), log2(v.zw));
    root[i][0] = sqrt(v);
    root[i][1] = vec4<f64>(sqrt(v.xyz), sqrt(v.w));
    root[i][2] = vec4<f64>(sqrt(v.xy), sqrt(v.zw));
    inverse[i][0] = inverseSqrt(v);
    inverse[i][1] = vec4<f64>(inverseSqrt(v.xyz), inverseSqrt(v.w));
    inverse[i][2] = vec4<f64>(inverseSqrt(v.xy), inverseSqrt(v.zw));
}
