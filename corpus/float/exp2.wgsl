//! grid 2
//! in x = f32[0, 1, -1, 0.5, -0.5, 2, -2, 10, -10, 0.1, 3.25, -7.5, 100.25, -100.5, 0.001, 44.5]
//! out y = f32[(1, 2, 0.5, 1.4142135) x 3] ~ 6ulp f32[(0.70710677, 4, 0.25, 1024) x 3,
//!     (0.0009765625, 1.0717734, 9.513657, 0.0055242716) x 3] ~ 24ulp
//!     f32[(1.507499e+30, 5.578089e-31, 1.0006934, 2.4879108e+13) x 3] ~ 205ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 3 + 2|x| units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = exp2(v);
    y[i][1] = vec4f(exp2(v.xyz), exp2(v.w));
    y[i][2] = vec4f(exp2(v.xy), exp2(v.zw));
}
