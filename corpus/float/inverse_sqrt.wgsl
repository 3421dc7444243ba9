//! grid 2
//! in x = f32[1.5, 1, 4, 2, 3, 0.25, 0.5, 100, 10000, 0.01, 10, 7, 1e+30, 1e-30, 12345.678, 1e+10]
//! out y = f32[(0.8164966, 1, 0.5, 0.70710677) x 3, (0.57735026, 2, 1.4142135, 0.1) x 3,
//!     (0.01, 10, 0.31622776, 0.37796447) x 3, (1e-15, 1e+15, 0.009000001, 1e-05) x 3] ~ 3ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 2 units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = inverseSqrt(v);
    y[i][1] = vec4f(inverseSqrt(v.xyz), inverseSqrt(v.w));
    y[i][2] = vec4f(inverseSqrt(v.xy), inverseSqrt(v.zw));
}
