//! grid 2
//! in a = u32[0, 1, 4294967295, 0, 7, 0, 7, 4294967295, 1431655765, 12345, 4294967295, 46341, 1703729684,
//!     4192983756, 3687093963, 1243862422]
//! in b = u32[0, 4294967295, 1, 1, 2, 2, 3, 4294967295, 3, 2, 2, 46341, 12128342, 399858816, 37874115, 2230196]
//! out sum = u32[(0, 0, 0, 1) x 3, (9, 2, 10, 4294967294) x 3, (1431655768, 12347, 1, 92682) x 3,
//!     (1715858026, 297875276, 3724968078, 1246092618) x 3]
//! out difference = u32[(0, 2, 4294967294, 4294967295) x 3, (5, 4294967294, 4, 0) x 3,
//!     (1431655762, 12343, 4294967293, 0) x 3, (1691601342, 3793124940, 3649219848, 1241632226) x 3]
//! out product = u32[(0, 4294967295, 4294967295, 0) x 3, (14, 0, 21, 1) x 3,
//!     (4294967295, 24690, 4294967294, 2147488281) x 3, (2204533432, 407549440, 864591777, 2046117752) x 3]
@group(0) @binding(0) var<storage> a: array<vec4u>;
@group(0) @binding(1) var<storage> b: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4u, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4u, 3>>;

// Integers wrap around.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    sum[i][0] = p + q;
    sum[i][1] = vec4u(p.xyz + q.xyz, p.w + q.w);
    sum[i][2] = vec4u(p.xy + q.xy, p.zw + q.zw);
    difference[i][0] = p - q;
    difference[i][1] = vec4u(p.xyz - q.xyz, p.w - q.w);
    difference[i][2] = vec4u(p.xy - q.xy, p.zw - q.zw);
    product[i][0] = p * q;
    product[i][1] = vec4u(p.xyz * q.xyz, p.w * q.w);
    product[i][2] = vec4u(p.xy * q.xy, p.zw * q.zw);
}
