//! grid 5
//! in a = i64[0, 1, 9223372036854775807, -9223372036854775808, 7, -7, 7, -7, 3074457345618258602,
//!     -4611686018427387904, 9223372036854775807, 46341, -2553354791350442960, 5430342962621506167,
//!     5161945549082021012, 1372875159667766079, 5, -5, 0, 1]
//! in b = i64[0, 9223372036854775807, 1, -1, 2, 2, -2, -2, 3, 2, 2, 46341, 16145776645627, 69200489202829689,
//!     -720199269352, 119096408201, 0, 0, 0, 0]
//! out quotient = i64[(0, 0, 9223372036854775807, -9223372036854775808) x 3, (3, -3, -3, 3) x 3,
//!     (1024819115206086200, -2305843009213693952, 4611686018427387903, 1) x 3,
//!     (-158143, 78, -7167385, 11527427) x 3, (5, -5, 0, 1) x 3]
//! out remainder = i64[(0, 1, 0, 0) x 3, (1, -1, 1, -1) x 3, (2, 0, 1, 0) x 3,
//!     (-13235281052299, 32704804800790425, 108917536492, 8168537252) x 3, (0, 0, 0, 0) x 3]
@group(0) @binding(0) var<storage> a: array<vec4<i64>>;
@group(0) @binding(1) var<storage> b: array<vec4<i64>>;
@group(0) @binding(2) var<storage, read_write> quotient: array<array<vec4<i64>, 3>>;
@group(0) @binding(3) var<storage, read_write> remainder: array<array<vec4<i64>, 3>>;

// Quotients round to zero; x / 0 is x and x % 0 is 0, and so for the least number over -1.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    quotient[i][0] = p / q;
    quotient[i][1] = vec4<i64>(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4<i64>(p.xy / q.xy, p.zw / q.zw);
    remainder[i][0] = p % q;
    remainder[i][1] = vec4<i64>(p.xyz % q.xyz, p.w % q.w);
    remainder[i][2] = vec4<i64>(p.xy % q.xy, p.zw % q.zw);
}
