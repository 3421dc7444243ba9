//! grid 2
//! in a = f32[0, 1, 2, 3, -8, 8, 100, 0.5]
//! in b = f32[4, 5, 6, 7, 8, -8, 200, 2.5]
//! in t = f32[0.25, 0.75]
//! out y = f32[1, 2, 3, 4, 4, -4, 175, 2] ~ 2ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage> t: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4f>;

// One weight for all components.
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3u) {
    y[id.x] = mix(a[id.x], b[id.x], t[id.x]);
}
