//! grid 2
//! in x = f16[1.5, 1.25, 2, 3, 1.75, 5, 10, 100, 4, 50, 7.5, 1.375, 2.5, 20, 6, 1.625]
//! out y = f16[(0.9624, 0.6934, 1.317, 1.763) x 3] ~ 24ulp f16[(1.159, 2.293, 2.994, 5.297) x 3] ~ 7ulp
//!     f16[(2.062, 4.605, 2.703, 0.841) x 3] ~ 10ulp f16[(1.566, 3.688, 2.479, 1.066) x 3] ~ 8ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// From 1 on.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = acosh(v);
    y[i][1] = vec4h(acosh(v.xyz), acosh(v.w));
    y[i][2] = vec4h(acosh(v.xy), acosh(v.zw));
}
