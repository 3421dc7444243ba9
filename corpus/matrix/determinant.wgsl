//! grid 2
//! in m2 = f32[2, 2] f32[3, 1] f32[-2, -3] f32[-3, -1] f32[1, 0] f32[2, -3] f32[2, 1] f32[2, 1]
//! in m3 = f32[0, 3, 3] pad[4] f32[0, 1, 1] pad[4] f32[2, 2, 2] pad[4] f32[2, 0, 3] pad[4] f32[3, 0, 0] pad[4]
//!     f32[0, 2, 3] pad[4] f32[2, -2, -1] pad[4] f32[0, 3, 3] pad[4] f32[-3, -1, 3] pad[4] f32[-3, 2, 3] pad[4]
//!     f32[-3, 2, 3] pad[4] f32[2, 3, 0] pad[4]
//! in m4 = f32[-1, -2, -2, 0] f32[2, 1, 0, -1] f32[1, -2, 0, 1] f32[1, 3, -3, -3] f32[2, -2, -1, 3]
//!     f32[-3, 3, -3, 2] f32[-3, -1, 2, 0] f32[-3, 0, 2, 0] f32[-3, -3, 3, -3] f32[-2, 1, 2, 3] f32[-3, 2, -2, -1]
//!     f32[2, 0, -2, -2] f32[1, -2, 0, 3] f32[1, -2, 0, 3] f32[-3, 1, -3, 2] f32[0, 2, -3, -1]
//! out y = f32[-4, 0, 11] ~ abs 0.001 f32[-7, 18, -47] ~ abs 0.001 f32[-3, 33, -30] ~ abs 0.001
//!     f32[0, 0, 0] ~ abs 0.001
@group(0) @binding(0) var<storage> m2: array<mat2x2f>;
@group(0) @binding(1) var<storage> m3: array<mat3x3f>;
@group(0) @binding(2) var<storage> m4: array<mat4x4f>;
@group(0) @binding(3) var<storage, read_write> y: array<array<f32, 3>>;

// Two, three and four rows; the last of each is singular.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    y[i] = array(determinant(m2[i]), determinant(m3[i]), determinant(m4[i]));
}
