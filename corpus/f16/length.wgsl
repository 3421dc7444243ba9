//! grid 2
//! in a = f16[1.5, -2, 3.25, 0.5, 4, 0.25, -1, 2, -0.75, 6, 1, -3, 0.1, 0.2, 0.3, 0.4]
//! out y = f16[2.5, 4.1, 4.13, 1.5] ~ 8ulp f16[4.008, 4.13, 4.59, 4] ~ 9ulp f16[6.047, 6.13, 6.824, 0.75] ~ 12ulp
//!     f16[0.2235, 0.3743, 0.548, 0.1] ~ 10ulp
enable f16;

@group(0) @binding(0) var<storage> a: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<array<f16, 4>>;

// Of vectors, and of a scalar: its absolute value.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    y[id.x] = array(length(p.xy), length(p.xyz), length(p), length(p.x));
}
