//! grid 3
//! in x = f32[0, 1, -2.5, 65504, 0.1, 2049, 2051, -1000.3, 0.33333334, 1e-04, 123.456, 7.1]
//! out y = f32[(0, 1, -2.5, 65504) x 3] f32[(0.099975586, 2048, 2052, -1000.5) x 3,
//!     (0.33325195, 0.000100016594, 123.4375, 7.1015625) x 3] ~ 8192ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// The nearest f16 or its neighbour, 2^13 steps of f32 away.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = quantizeToF16(v);
    y[i][1] = vec4f(quantizeToF16(v.xyz), quantizeToF16(v.w));
    y[i][2] = vec4f(quantizeToF16(v.xy), quantizeToF16(v.zw));
}
