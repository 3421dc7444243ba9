//! grid 2
//! in x = f32[0, 1, -1, 0.5, 3.140625, -2, 0.1, 100, 180, 90, -45, 360, 57.3, 0.017, 12, -7]
//! out degree = f32[(0, 57.29578, -57.29578, 28.64789) x 3, (179.94456, -114.59156, 5.729578, 5729.578) x 3,
//!     (10313.24, 5156.62, -2578.31, 20626.48) x 3] ~ 3ulp
//!     f32[(3283.048, 0.9740283, 687.5494, -401.07047) x 3] ~ 4ulp
//! out radian = f32[(0, 0.017453292, -0.017453292, 0.008726646) x 3] ~ 3ulp
//!     f32[(0.054814246, -0.034906585, 0.0017453292, 1.7453293) x 3,
//!     (3.1415927, 1.5707964, -0.7853982, 6.2831855) x 3,
//!     (1.0000737, 0.00029670598, 0.20943952, -0.12217305) x 3] ~ 4ulp
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> degree: array<array<vec4f, 3>>;
@group(0) @binding(2) var<storage, read_write> radian: array<array<vec4f, 3>>;

// One multiplication each.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    degree[i][0] = degrees(v);
    degree[i][1] = vec4f(degrees(v.xyz), degrees(v.w));
    degree[i][2] = vec4f(degrees(v.xy), degrees(v.zw));
    radian[i][0] = radians(v);
    radian[i][1] = vec4f(radians(v.xyz), radians(v.w));
    radian[i][2] = vec4f(radians(v.xy), radians(v.zw));
}
