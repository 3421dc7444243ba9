//! grid 2
//! in x = f16[0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 0.9, -0.9, 0.1, -0.1, 0.625, 0.375, -0.875, 0.95, -0.6]
//! out y = f16[(0, 0.2554, -0.2554, 0.5493) x 3] ~ 26ulp abs 0.00618
//!     f16[(-0.5493, 0.973, -0.973, 1.472) x 3] ~ 9ulp f16[(-1.472, 0.1003, -0.1003, 0.7334) x 3] ~ 95ulp
//!     f16[(0.3943, -1.3545, 1.834, -0.6934) x 3] ~ 13ulp
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Between -1 and 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = atanh(v);
    y[i][1] = vec4h(atanh(v.xyz), atanh(v.w));
    y[i][2] = vec4h(atanh(v.xy), atanh(v.zw));
}
