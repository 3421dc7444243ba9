//! grid 2
//! in x = f16[0, 0.5, -0.5, 1, 1.5, -1.5, 2, 3, -3, 0.1, -0.01, 2.5, 0.785, 1.57, -2.355, 3.14]
//! out y = f16[(1, 0.8774, 0.8774, 0.5405) x 3, (0.07074, 0.07074, -0.4163, -0.99) x 3,
//!     (-0.99, 0.995, 1, -0.8013) x 3, (0.7075, 0.0004838, -0.7065, -1) x 3] ~ abs 0.00781
enable f16;

@group(0) @binding(0) var<storage> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4h, 3>>;

// Within 2^-7 over one turn.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = cos(v);
    y[i][1] = vec4h(cos(v.xyz), cos(v.w));
    y[i][2] = vec4h(cos(v.xy), cos(v.zw));
}
