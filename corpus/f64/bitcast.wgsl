//! grid 1
//! in x = f64[0, 1, -1, 0.1, 1e+300, -1e-300, 5e-324, 2.5]
//! out ul = u64[(0, 4607182418800017408, 13830554455654793216, 4591870180066957722) x 3,
//!     (9094988921128908188, 9341994084744098649, 1, 4612811918334230528) x 3]
//! out y = f64[(0, 1, -1, 0.1) x 3, (1e+300, -1e-300, 5e-324, 2.5) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> ul: array<array<vec4<u64>, 3>>;
@group(0) @binding(2) var<storage, read_write> y: array<array<vec4<f64>, 3>>;

// The bits stay, the type changes.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    ul[i][0] = bitcast<vec4<u64>>(v);
    ul[i][1] = vec4<u64>(bitcast<vec3<u64>>(v.xyz), bitcast<u64>(v.w));
    ul[i][2] = vec4<u64>(bitcast<vec2<u64>>(v.xy), bitcast<vec2<u64>>(v.zw));
    y[i][0] = bitcast<vec4<f64>>(bitcast<vec4<i64>>(v));
    y[i][1] = vec4<f64>(bitcast<vec3<f64>>(bitcast<vec3<i64>>(v.xyz)), bitcast<f64>(bitcast<i64>(v.w)));
    y[i][2] = vec4<f64>(bitcast<vec2<f64>>(bitcast<vec2<i64>>(v.xy)), bitcast<vec2<f64>>(bitcast<vec2<i64>>(v.zw)));
}
