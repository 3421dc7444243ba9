//! grid 2
//! in x = f16[0, 1, -1, 0.5, 3.14, -2, 0.1, 100, 180, 90, -45, 360, 57.3, 0.017, 12, -7]
//! out degree = f16[(0, 57.28, -57.28, 28.64) x 3, (180, -114.56, 5.727, 5.73e+03) x 3,
//!     (1.031e+04, 5.156e+03, -2.578e+03, 2.062e+04) x 3] ~ 3ulp f16[(3.284e+03, 0.974, 687.5, -401) x 3] ~ 4ulp
//! out radian = f16[(0, 0.01746, -0.01746, 0.00873) x 3] ~ 3ulp f16[(0.0548, -0.0349, 0.001745, 1.745) x 3,
//!     (3.14, 1.57, -0.785, 6.28) x 3, (1, 0.0002966, 0.2095, -0.1222) x 3] ~ 4ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> degree: array<array<vec4h, 3>>;
@group(0) @binding(2) var<storage, read_write> radian: array<array<vec4h, 3>>;

// One multiplication each.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    degree[i][0] = degrees(v);
    degree[i][1] = vec4h(degrees(v.xyz), degrees(v.w));
    degree[i][2] = vec4h(degrees(v.xy), degrees(v.zw));
    radian[i][0] = radians(v);
    radian[i][1] = vec4h(radians(v.xyz), radians(v.w));
    radian[i][2] = vec4h(radians(v.xy), radians(v.zw));
}
