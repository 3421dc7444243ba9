//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, 1.5, -1.5, 2, 3, -3, 0.1, -0.01, 2.5, 0.785, 1.57, -2.355, 3.14]
//! out y = f16[(0, 0.4795, -0.4795, 0.8413) x 3, (0.9976, -0.9976, 0.909, 0.1411) x 3,
//!     (-0.1411, 0.0998, -0.01, 0.5986) x 3, (0.707, 1, -0.7075, 0.0009675) x 3] ~ abs 0.00781
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 2^-7 over one turn.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = sin(v);
    y[i][1] = vec4h(sin(v.xyz), sin(v.w));
    y[i][2] = vec4h(sin(v.xy), sin(v.zw));
}
