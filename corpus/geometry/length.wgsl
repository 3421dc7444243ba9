//! grid 2
//! in a = f32[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! out y = f32[2.5, 4.100305, 4.1306777, 1.5] ~ 8ulp f32[4.007805, 4.1306777, 4.58939, 4] ~ 9ulp
//!     f32[6.0466933, 6.128825, 6.823672, 0.75] ~ 12ulp f32[0.2236068, 0.37416574, 0.5477226, 0.1] ~ 10ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<array<f32, 4>>;

// Of vectors, and of a scalar: its absolute value.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    y[id.x] = array(length(p.xy), length(p.xyz), length(p), length(p.x));
}
