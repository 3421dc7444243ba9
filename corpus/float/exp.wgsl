//! grid 2
//! in x = f32[0, 1, -1, 0.5, -0.5, 2, -2, 10, -10, 0.1, 3.25, -7.5, 80, -80, 0.001, 44.5]
//! out y = f32[(1, 2.7182817, 0.36787945, 1.6487212) x 3] ~ 6ulp
//!     f32[(0.60653067, 7.389056, 0.13533528, 22026.465) x 3,
//!     (4.539993e-05, 1.105171, 25.79034, 0.00055308436) x 3] ~ 24ulp
//!     f32[(5.5406225e+34, 1.8048513e-35, 1.0010005, 2.1188706e+19) x 3] ~ 164ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 3 + 2|x| units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = exp(v);
    y[i][1] = vec4f(exp(v.xyz), exp(v.w));
    y[i][2] = vec4f(exp(v.xy), exp(v.zw));
}
