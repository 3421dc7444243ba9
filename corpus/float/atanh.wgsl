//! grid 2
//! in x = f32[0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 0.9, -0.9, 0.1, -0.1, 0.625, 0.375, -0.875, 0.95, -0.6]
//! out y = f32[(0, 0.25541282, -0.25541282, 0.54930615) x 3] ~ 18ulp abs 5.12e-07
//!     f32[(-0.54930615, 0.97295505, -0.97295505, 1.4722193) x 3] ~ 9ulp
//!     f32[(-1.4722193, 0.10033535, -0.10033535, 0.73316854) x 3] ~ 63ulp
//!     f32[(0.39422867, -1.3540251, 1.8317807, -0.69314724) x 3] ~ 13ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Between -1 and 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = atanh(v);
    y[i][1] = vec4f(atanh(v.xyz), atanh(v.w));
    y[i][2] = vec4f(atanh(v.xy), atanh(v.zw));
}
