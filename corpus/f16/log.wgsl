//! grid 2
//! in x = f16[1, 2, 0.5, 0.75, 1.25, 1.001, 0.999, 1.5, 3, 10, 100, 1e+03, 5e+04, 0.01, 0.001, 7.5]
//! out y = f16[(0, 0.6934, -0.6934, -0.2876) x 3] ~ 33ulp abs 0.00789
//!     f16[(0.2231, 0.000976, -0.0009775, 0.4055) x 3] ~ 65ulp abs 0.00789 f16[(1.099, 2.303, 4.605, 6.906) x 3,
//!     (10.82, -4.605, -6.906, 2.016) x 3] ~ 4ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 2^-7 from 0.5 to 2, within 3 units in the last place elsewhere.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = log(v);
    y[i][1] = vec4h(log(v.xyz), log(v.w));
    y[i][2] = vec4h(log(v.xy), log(v.zw));
}
