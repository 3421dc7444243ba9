//! grid 2
//! in a = f16[1, 0, 0] pad[2] f16[1, 2, 3] pad[2] f16[-1.5, 0.5, 2] pad[2] f16[0.1, 0.2, 0.3] pad[2]
//! in b = f16[0, 1, 0] pad[2] f16[4, 5, 6] pad[2] f16[2.5, -4, 1] pad[2] f16[0.6, 0.5, 0.4] pad[2]
//! out y = f16[0, 0, 1] ~ 4ulp pad[2] f16[-3, 6, -3] ~ 10ulp pad[2] f16[8.5, 6.5, 4.75] ~ 4ulp pad[2]
//!     f16[-0.07007, 0.1401, -0.07] ~ 5ulp pad[2]
enable f16;

@group(0) @binding(0) var<storage> a: array<vec3h>;
@group(0) @binding(1) var<storage> b: array<vec3h>;
@group(0) @binding(2) var<storage, read_write> y: array<vec3h>;

// Orthogonal to both.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = cross(a[id.x], b[id.x]);
}
