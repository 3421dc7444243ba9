//! in a = f64[-4, -3.5] f64[2.5, 0] f64[-2.5, 2, -2] pad[8] f64[1, -3, 0.5] pad[8] f64[-1.5, -2, 0, 3.5]
//!     f64[1, 0.5, -3.5, -3] f64[-4, -4] f64[-2.5, -3.5] f64[-2, 1.5] pad[16] f64[2.5, 0, -4] pad[8]
//!     f64[-0.5, 4, 2.5] pad[8] f64[-2, 1.5, -1] pad[8] f64[1, 1.5, -4, -1.5] f64[-1.5, -2.5, 0, 4]
//!     f64[-1.5, -2, 3, 2.5] f64[2.5, -2.5] f64[1, 1] f64[3, -0.5] f64[3, 2.5] f64[-1.5, 3, -3.5] pad[8]
//!     f64[-1.5, 3.5, 3.5] pad[8] f64[-4, -2.5, -2] pad[8] f64[2.5, -3.5, -1] pad[8] f64[-4, -3.5, -0.5, 3.5]
//!     f64[1.5, 2, 3, -1] f64[-1, 0, -1, 0.5] f64[4, 1.5, -0.5, 1.5]
//! in v = f64[1, -2, 0.5, 3]
//! out right = f64[-9, -3.5, 0, 0] f64[-4.5, 8, -3, 0] f64[-3.5, -3, 7, 9.5] f64[0, 3.75, 0, 0]
//!     f64[2.5, -7.25, -9.5, 0] f64[3.25, 5.5, -2.5, -8.25] f64[11, 2.75, 0, 0] f64[7, -15.75, -14.5, 0]
//!     f64[4.5, -3, -8.5, 10.25]
//! out left = f64[3, 2.5, 0, 0] f64[-7.5, 7.25, 0, 0] f64[13, -10.75, 0, 0] f64[4, 4.5, -5, 0]
//!     f64[0.5, -7.25, -5.5, 0] f64[-8.5, 15.5, 11.5, 0] f64[7.5, -1, 4, -2] f64[-9.25, -6.75, 0, 9]
//!     f64[13.25, -4, 0, 5.25]
struct All {
    m22: mat2x2<f64>,
    m23: mat2x3<f64>,
    m24: mat2x4<f64>,
    m32: mat3x2<f64>,
    m33: mat3x3<f64>,
    m34: mat3x4<f64>,
    m42: mat4x2<f64>,
    m43: mat4x3<f64>,
    m44: mat4x4<f64>,
}
@group(0) @binding(0) var<storage> a: All;
@group(0) @binding(1) var<storage> v: vec4<f64>;
@group(0) @binding(2) var<storage, read_write> right: array<vec4<f64>, 9>;
@group(0) @binding(3) var<storage, read_write> left: array<vec4<f64>, 9>;

// As a column on the right, as a row on the left; short results are filled up with zeros.
@compute @workgroup_size(1)
fn main() {
    right[0] = vec4<f64>(a.m22 * v.xy, 0, 0);
    left[0] = vec4<f64>(v.xy * a.m22, 0, 0);
    right[1] = vec4<f64>(a.m23 * v.xy, 0);
    left[1] = vec4<f64>(v.xyz * a.m23, 0, 0);
    right[2] = a.m24 * v.xy;
    left[2] = vec4<f64>(v * a.m24, 0, 0);
    right[3] = vec4<f64>(a.m32 * v.xyz, 0, 0);
    left[3] = vec4<f64>(v.xy * a.m32, 0);
    right[4] = vec4<f64>(a.m33 * v.xyz, 0);
    left[4] = vec4<f64>(v.xyz * a.m33, 0);
    right[5] = a.m34 * v.xyz;
    left[5] = vec4<f64>(v * a.m34, 0);
    right[6] = vec4<f64>(a.m42 * v, 0, 0);
    left[6] = v.xy * a.m42;
    right[7] = vec4<f64>(a.m43 * v, 0);
    left[7] = v.xyz * a.m43;
    right[8] = a.m44 * v;
    left[8] = v * a.m44;
}
