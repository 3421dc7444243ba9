//! grid 1
//! in x = i32[0, 1, -1, 2147483647, -2147483648, 77, -77, 12]
//! out y = f64[(0, 1, -1, 2147483647) x 3, (-2147483648, 77, -77, 12) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
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
