//! grid 2
//! in x = f32[0, 0.5, -0.5, 1, 1.5, -1.5, 2, 3, -3, 0.1, -0.01, 2.5, 0.785398, 1.570796, -2.356194, 3.140625]
//! out y = f32[(0, 0.47942555, -0.47942555, 0.84147096) x 3, (0.997495, -0.997495, 0.9092974, 0.14112) x 3,
//!     (-0.14112, 0.09983342, -0.009999833, 0.5984721) x 3,
//!     (0.70710665, 1, -0.7071071, 0.0009676534) x 3] ~ abs 0.000488
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// Within 2^-11 over one turn.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = sin(v);
    y[i][1] = vec4f(sin(v.xyz), sin(v.w));
    y[i][2] = vec4f(sin(v.xy), sin(v.zw));
}
