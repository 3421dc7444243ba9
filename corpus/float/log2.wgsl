//! grid 2
//! in x = f32[1, 2, 0.5, 0.75, 1.25, 1.001, 0.999, 1.5, 3, 10, 100, 1000, 1e+10, 1e-10, 1e+30, 1e-30]
//! out y = f32[(0, 1, -1, -0.4150375) x 3,
//!     (0.32192808, 0.0014420415, -0.0014433983, 0.5849625) x 3] ~ 17ulp abs 4.82e-07
//!     f32[(1.5849625, 3.321928, 6.643856, 9.965784) x 3, (33.21928, -33.21928, 99.657845, -99.657845) x 3] ~ 4ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 2^-21 from 0.5 to 2, within 3 units in the last place elsewhere.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = log2(v);
    y[i][1] = vec4f(log2(v.xyz), log2(v.w));
    y[i][2] = vec4f(log2(v.xy), log2(v.zw));
}
