//! grid 2
//! in x = f16[0, 1, -1, 0.5, -0.5, 2, -2, 10, -10, 0.1, 3.25, -7.5, 12.25, -9.5, 0.001, 4.75]
//! out y = f16[(1, 2, 0.5, 1.414) x 3] ~ 4ulp f16[(0.707, 4, 0.25, 1.024e+03) x 3,
//!     (0.000977, 1.071, 9.516, 0.005524) x 3] ~ 22ulp f16[(4.87e+03, 0.001381, 1.001, 26.9) x 3] ~ 27ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 1 + 2|x| units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = exp2(v);
    y[i][1] = vec4h(exp2(v.xyz), exp2(v.w));
    y[i][2] = vec4h(exp2(v.xy), exp2(v.zw));
}
