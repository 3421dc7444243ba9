//! grid 2
//! in x = f32[0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, -1, 0.1, -0.9, 0.99, 0.7071068, -0.33, 0.001, 0.6]
//! out y = f32[(0, 0.25268024, -0.25268024, 0.5235988) x 3] ~ abs 0.000244
//!     f32[(-0.5235988, 0.8480621, -0.8480621, 1.5707964) x 3,
//!     (-1.5707964, 0.10016742, -1.1197695, 1.4292569) x 3] ~ abs 0.000488
//!     f32[(0.78539824, -0.3363036, 0.0010000002, 0.64350116) x 3] ~ abs 0.000244
@group(0) @binding(0) var<storage> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4f, 3>>;

// From -1 to 1.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = asin(v);
    y[i][1] = vec4f(asin(v.xyz), asin(v.w));
    y[i][2] = vec4f(asin(v.xy), asin(v.zw));
}
