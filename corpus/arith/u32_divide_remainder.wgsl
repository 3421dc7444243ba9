//! grid 5
//! in a = u32[0, 1, 4294967295, 0, 7, 0, 7, 4294967295, 1431655765, 12345, 4294967295, 46341, 1703729684,
//!     4192983756, 3687093963, 1243862422, 5, 6, 0, 1]
//! in b = u32[0, 4294967295, 1, 1, 2, 2, 3, 4294967295, 3, 2, 2, 46341, 12128342, 399858816, 37874115, 2230196, 0,
//!     0, 0, 0]
//! out quotient = u32[(0, 0, 4294967295, 0) x 3, (3, 0, 2, 1) x 3, (477218588, 6172, 2147483647, 1) x 3,
//!     (140, 10, 97, 557) x 3, (5, 6, 0, 1) x 3]
//! out remainder = u32[(0, 1, 0, 0) x 3, (1, 0, 1, 0) x 3, (1, 1, 1, 0) x 3,
//!     (5761804, 194395596, 13304808, 1643250) x 3, (0, 0, 0, 0) x 3]
@group(0) @binding(0) var<storage> a: array<vec4u>;
@group(0) @binding(1) var<storage> b: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> quotient: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> remainder: array<array<vec4u, 3>>;

// Quotients round to zero; x / 0 is x and x % 0 is 0.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    quotient[i][0] = p / q;
    quotient[i][1] = vec4u(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4u(p.xy / q.xy, p.zw / q.zw);
    remainder[i][0] = p % q;
    remainder[i][1] = vec4u(p.xyz % q.xyz, p.w % q.w);
    remainder[i][2] = vec4u(p.xy % q.xy, p.zw % q.zw);
}
