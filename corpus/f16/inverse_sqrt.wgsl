//! grid 2
//! in x = f16[1.5, 1, 4, 2, 3, 0.25, 0.5, 100, 1e+04, 0.01, 10, 7, 6e+04, 0.001, 1.234e+03, 0.1]
//! out y = f16[(0.8164, 1, 0.5, 0.707) x 3, (0.577, 2, 1.414, 0.1) x 3, (0.01, 10, 0.3162, 0.378) x 3,
//!     (0.00408, 31.61, 0.02847, 3.162) x 3] ~ 3ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 2 units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = inverseSqrt(v);
    y[i][1] = vec4h(inverseSqrt(v.xyz), inverseSqrt(v.w));
    y[i][2] = vec4h(inverseSqrt(v.xy), inverseSqrt(v.zw));
}
