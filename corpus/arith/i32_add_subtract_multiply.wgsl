//! grid 2
//! in a = i32[0, 1, 2147483647, -2147483648, 7, -7, 7, 2147483647, 715827882, -1073741824, 2147483647, 46341,
//!     -1499591369, 648258640, 154112043, 31936245]
//! in b = i32[0, 2147483647, 1, -1, 2, 2, -2, 2147483647, 3, 2, 2, 46341, -242486, -2745687, -40523452, 960890926]
//! out sum = i32[(0, -2147483648, -2147483648, 2147483647) x 3, (9, -5, 5, -2) x 3,
//!     (715827885, -1073741822, -2147483647, 92682) x 3, (-1499833855, 645512953, 113588591, 992827171) x 3]
//! out difference = i32[(0, -2147483646, 2147483646, -2147483647) x 3, (5, -9, 9, 0) x 3,
//!     (715827879, -1073741826, 2147483645, 0) x 3, (-1499348883, 651004327, 194635495, -928954681) x 3]
//! out product = i32[(0, 2147483647, 2147483647, -2147483648) x 3, (14, -14, -14, 1) x 3,
//!     (2147483646, -2147483648, -2, -2147479015) x 3, (801554790, 731355344, 1054191212, -1241131002) x 3]
@group(0) @binding(0) var<storage> a: array<vec4i>;
@group(0) @binding(1) var<storage> b: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> sum: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> difference: array<array<vec4i, 3>>;
@group(0) @binding(4) var<storage, read_write> product: array<array<vec4i, 3>>;

// Integers wrap around.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    sum[i][0] = p + q;
    sum[i][1] = vec4i(p.xyz + q.xyz, p.w + q.w);
    sum[i][2] = vec4i(p.xy + q.xy, p.zw + q.zw);
    difference[i][0] = p - q;
    difference[i][1] = vec4i(p.xyz - q.xyz, p.w - q.w);
    difference[i][2] = vec4i(p.xy - q.xy, p.zw - q.zw);
    product[i][0] = p * q;
    product[i][1] = vec4i(p.xyz * q.xyz, p.w * q.w);
    product[i][2] = vec4i(p.xy * q.xy, p.zw * q.zw);
}
