//! in a = f16[-3.5, -2.5] f16[2, -2] f16[-4, 2.5, -3] pad[2] f16[1, 3.5, 3.5] pad[2] f16[1.5, 1.5, -3.5, -2]
//!     f16[0.5, -2, 4, 0.5] f16[-0.5, 0] f16[-3, -0.5] f16[0, 0.5] pad[4] f16[4, -2, -0.5] pad[2] f16[1.5, 3, 2]
//!     pad[2] f16[-1.5, -2, -4] pad[2] f16[1, -3, -3.5, -3] f16[-2.5, 4, 3, -0.5] f16[2, 3, 3.5, 1] f16[-2.5, 4]
//!     f16[-4, 2] f16[-3.5, -2] f16[2.5, -0.5] f16[-2.5, -3, 3.5] pad[2] f16[-1, -2, 2] pad[2] f16[1.5, -0.5, 0.5]
//!     pad[2] f16[1, 1.5, 2] pad[2] f16[2, -2, 1.5, 0.5] f16[2.5, 1.5, 4, -3.5] f16[-1, -1.5, 2, -3]
//!     f16[-2.5, -3.5, -3.5, -1.5]
//! in v = f16[1, -2, 0.5, 3]
//! out right = f16[-7.5, 1.5, 0, 0] f16[-6, -4.5, -10, 0] f16[0.5, 5.5, -11.5, -3] f16[5.5, 1.25, 0, 0]
//!     f16[0.25, -9, -6.5, 0] f16[7, -9.5, -7.75, -1.5] f16[11.25, -2.5, 0, 0] f16[3.25, 5.25, 5.75, 0]
//!     f16[-11, -16.25, -16, 1.5]
//! out left = f16[1.5, 6, 0, 0] f16[-10.5, -4.25, 0, 0] f16[-9.25, 8, 0, 0] f16[-0.5, -2, -1, 0]
//!     f16[7.75, -3.5, 0.5, 0] f16[-3.75, -10.5, 0.75, 0] f16[-10.5, -8, 0.5, 3.5] f16[5.25, 4, 2.75, -1]
//!     f16[8.25, -9, -6, -1.75]
enable f16;

struct All {
    m22: mat2x2h,
    m23: mat2x3h,
    m24: mat2x4h,
    m32: mat3x2h,
    m33: mat3x3h,
    m34: mat3x4h,
    m42: mat4x2h,
    m43: mat4x3h,
    m44: mat4x4h,
}
@group(0) @binding(0) var<storage> a: All;
@group(0) @binding(1) var<storage> v: vec4h;
@group(0) @binding(2) var<storage, read_write> right: array<vec4h, 9>;
@group(0) @binding(3) var<storage, read_write> left: array<vec4h, 9>;

// As a column on the right, as a row on the left; short results are filled up with zeros.
@compute @workgroup_size(1)
fn main() {
    right[0] = vec4h(a.m22 * v.xy, 0, 0);
    left[0] = vec4h(v.xy * a.m22, 0, 0);
    right[1] = vec4h(a.m23 * v.xy, 0);
    left[1] = vec4h(v.xyz * a.m23, 0, 0);
    right[2] = a.m24 * v.xy;
    left[2] = vec4h(v * a.m24, 0, 0);
    right[3] = vec4h(a.m32 * v.xyz, 0, 0);
    left[3] = vec4h(v.xy * a.m32, 0);
    right[4] = vec4h(a.m33 * v.xyz, 0);
    left[4] = vec4h(v.xyz * a.m33, 0);
    right[5] = a.m34 * v.xyz;
    left[5] = vec4h(v * a.m34, 0);
    right[6] = vec4h(a.m42 * v, 0, 0);
    left[6] = v.xy * a.m42;
    right[7] = vec4h(a.m43 * v, 0);
    left[7] = v.xyz * a.m43;
    right[8] = a.m44 * v;
    left[8] = v * a.m44;
}
