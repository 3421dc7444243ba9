//! grid 2
//! in a = f32[1, 0, 0] pad[4] f32[1, 2, 3] pad[4] f32[-1.5, 0.5, 2] pad[4] f32[0.1, 0.2, 0.3] pad[4]
//! in b = f32[0, 1, 0] pad[4] f32[4, 5, 6] pad[4] f32[2.5, -4, 1] pad[4] f32[0.6, 0.5, 0.4] pad[4]
//! out y = f32[0, 0, 1] ~ 4ulp pad[4] f32[-3, 6, -3] ~ 10ulp pad[4] f32[8.5, 6.5, 4.75] ~ 4ulp pad[4]
//!     f32[-0.07, 0.14000002, -0.07000001] ~ 5ulp pad[4]
@group(0) @binding(0) var<storage> a: array<vec3f>;
@group(0) @binding(1) var<storage> b: array<vec3f>;
@group(0) @binding(2) var<storage, read_write> y: array<vec3f>;

// Orthogonal to both.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = cross(a[id.x], b[id.x]);
}
