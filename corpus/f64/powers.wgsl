//! ours
//! grid 1
//! in x = f64[0.5, 1, -1, 0.1, 2, -2.5, 0.75, 3]
//! out natural = f64[(1.6487212707001282, 2.718281828459045, 0.36787944117144233, 1.1051709180756477) x 3,
//!     (7.38905609893065, 0.0820849986238988, 2.117000016612675, 20.085536923187668) x 3] ~ 2ulp
//! out binary = f64[(1.4142135623730951, 2, 0.5, 1.0717734625362931) x 3,
//!     (4, 0.1767766952966369, 1.681792830507429, 8) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> natural: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> binary: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    natural[i][0] = exp(v);
    natural[i][1] = vec4<f64>(exp(v.xyz), exp(v.w));
    natural[i][2] = vec4<f64>(exp(v.xy), exp(v.zw));
    binary[i][0] = exp2(v);
    binary[i][1] = vec4<f64>(exp2(v.xyz), exp2(v.w));
    binary[i][2] = vec4<f64>(exp2(v.xy), exp2(v.zw));
}
