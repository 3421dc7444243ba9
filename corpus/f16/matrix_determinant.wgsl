//! grid 2
//! in m2 = f16[-3, 0] f16[-3, 2] f16[-2, 2] f16[-3, 0] f16[0, 3] f16[-3, -3] f16[-1, 3] f16[-1, 3]
//! in m3 = f16[-1, 2, -3] pad[2] f16[-3, -2, -2] pad[2] f16[2, 1, 2] pad[2] f16[0, -2, 1] pad[2] f16[-2, -3, -1]
//!     pad[2] f16[3, -3, -3] pad[2] f16[1, -2, 1] pad[2] f16[-3, 3, 2] pad[2] f16[-2, 1, -3] pad[2] f16[0, 1, -1]
//!     pad[2] f16[0, 1, -1] pad[2] f16[3, 0, 1] pad[2]
//! in m4 = f16[2, -2, 2, -3] f16[3, -1, 2, 0] f16[3, -2, 1, -3] f16[-2, -1, 0, -3] f16[3, 3, -1, 3]
//!     f16[0, -1, -2, -2] f16[1, -3, 0, -2] f16[2, -3, 3, 0] f16[1, 2, -2, -1] f16[-3, 0, 2, -2] f16[-3, 2, -2, 3]
//!     f16[-1, -1, -3, -3] f16[0, 3, -1, 0] f16[0, 3, -1, 0] f16[-1, 2, 3, -2] f16[1, -3, 0, -2]
//! out y = f16[-6, 3, -3] ~ abs 0.25 f16[6, 33, 5] ~ abs 0.25 f16[9, 18, 224] ~ abs 0.25 f16[0, 0, 0] ~ abs 0.25
enable f16;

@group(0) @binding(0) var<storage> m2: array<mat2x2h>;
@group(0) @binding(1) var<storage> m3: array<mat3x3h>;
@group(0) @binding(2) var<storage> m4: array<mat4x4h>;
@group(0) @binding(3) var<storage, read_write> y: array<array<f16, 3>>;

// Two, three and four rows; the last of each is singular.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    y[i] = array(determinant(m2[i]), determinant(m3[i]), determinant(m4[i]));
}
