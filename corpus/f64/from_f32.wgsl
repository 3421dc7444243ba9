//! grid 1
//! in x = f32[0.1, 1e+30, -2.5, 1e-45, 3, 1.6777216e+07, -0.3, 7]
//! out y = f64[(0.10000000149011612, 1.0000000150474662e+30, -2.5, 1.401298464324817e-45) x 3,
//!     (3, 16777216, -0.30000001192092896, 7) x 3]
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4<f64>, 3>>;

// Exact.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = vec4<f64>(v);
    y[i][1] = vec4<f64>(vec3<f64>(v.xyz), f64(v.w));
    y[i][2] = vec4<f64>(vec2<f64>(v.xy), vec2<f64>(v.zw));
}
