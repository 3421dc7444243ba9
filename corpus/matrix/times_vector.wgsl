//! in a = f32[-3, 1.5] f32[-3.5, 0.5] f32[1.5, 0, 3.5] pad[4] f32[0, 0.5, 1] pad[4] f32[-1.5, -4, 3.5, 0]
//!     f32[1, 0, 3, 0.5] f32[4, 1.5] f32[1.5, 0] f32[1.5, 2.5] pad[8] f32[1.5, -1.5, 3] pad[4] f32[1.5, 1, 4]
//!     pad[4] f32[-2, 4, -1.5] pad[4] f32[-1, 1.5, 3.5, 0.5] f32[-3, 2.5, -1.5, 4] f32[2.5, 0.5, 0, -4]
//!     f32[-1, -1.5] f32[3, -1.5] f32[-0.5, -1.5] f32[-3.5, 3.5] f32[-0.5, -1.5, -3.5] pad[4] f32[-2, -2.5, 1]
//!     pad[4] f32[-1.5, 3.5, -1] pad[4] f32[-3.5, 2.5, 3] pad[4] f32[1.5, 2, -3, -1] f32[-0.5, 1.5, -4, 1.5]
//!     f32[2, 0, 2.5, -2.5] f32[1.5, -3.5, 0.5, -2.5]
//! in v = f32[1, -2, 0.5, 3]
//! out right = f32[4, 0.5, 0, 0] f32[1.5, -1, 1.5, 0] f32[-3.5, -4, -2.5, -1] f32[1.75, 2.75, 0, 0]
//!     f32[-2.5, -1.5, -5.75, 0] f32[6.25, -3.25, 6.5, -9.5] f32[-17.75, 11.25, 0, 0] f32[-7.75, 12.75, 3, 0]
//!     f32[8, -11.5, 7.75, -12.75]
//! out left = f32[-6, -4.5, 0, 0] f32[3.25, -0.5, 0, 0] f32[8.25, 4, 0, 0] f32[1, 1.5, -3.5, 0]
//!     f32[6, 1.5, -10.75, 0] f32[-0.75, 3.25, -10.5, 0] f32[2, 6, 2.5, -10.5] f32[0.75, 3.5, -9, -7]
//!     f32[-7, -1, -4.25, 1.25]
struct All {
    m22: mat2x2f,
    m23: mat2x3f,
    m24: mat2x4f,
    m32: mat3x2f,
    m33: mat3x3f,
    m34: mat3x4f,
    m42: mat4x2f,
    m43: mat4x3f,
    m44: mat4x4f,
}
@group(0) @binding(0) var<storage> a: All;
@group(0) @binding(1) var<storage> v: vec4f;
@group(0) @binding(2) var<storage, read_write> right: array<vec4f, 9>;
@group(0) @binding(3) var<storage, read_write> left: array<vec4f, 9>;

// As a column on the right, as a row on the left; short results are filled up with zeros.
@compute @workgroup_size(1)
fn main() {
    right[0] = vec4f(a.m22 * v.xy, 0, 0);
    left[0] = vec4f(v.xy * a.m22, 0, 0);
    right[1] = vec4f(a.m23 * v.xy, 0);
    left[1] = vec4f(v.xyz * a.m23, 0, 0);
    right[2] = a.m24 * v.xy;
    left[2] = vec4f(v * a.m24, 0, 0);
    right[3] = vec4f(a.m32 * v.xyz, 0, 0);
    left[3] = vec4f(v.xy * a.m32, 0);
    right[4] = vec4f(a.m33 * v.xyz, 0);
    left[4] = vec4f(v.xyz * a.m33, 0);
    right[5] = a.m34 * v.xyz;
    left[5] = vec4f(v * a.m34, 0);
    right[6] = vec4f(a.m42 * v, 0, 0);
    left[6] = v.xy * a.m42;
    right[7] = vec4f(a.m43 * v, 0);
    left[7] = v.xyz * a.m43;
    right[8] = a.m44 * v;
    left[8] = v * a.m44;
}
