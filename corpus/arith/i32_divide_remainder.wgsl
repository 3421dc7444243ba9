//! grid 5
//! in a = i32[0, 1, 2147483647, -2147483648, 7, -7, 7, -7, 715827882, -1073741824, 2147483647, 46341, -1499591369,
//!     648258640, 154112043, 31936245, 5, -5, 0, 1]
//! in b = i32[0, 2147483647, 1, -1, 2, 2, -2, -2, 3, 2, 2, 46341, -242486, -2745687, -40523452, 960890926, 0, 0, 0,
//!     0]
//! out quotient = i32[(0, 0, 2147483647, -2147483648) x 3, (3, -3, -3, 3) x 3,
//!     (238609294, -536870912, 1073741823, 1) x 3, (6184, -236, -3, 0) x 3, (5, -5, 0, 1) x 3]
//! out remainder = i32[(0, 1, 0, 0) x 3, (1, -1, 1, -1) x 3, (0, 0, 1, 0) x 3,
//!     (-57945, 276508, 32541687, 31936245) x 3, (0, 0, 0, 0) x 3]
@group(0) @binding(0) var<storage> a: array<vec4i>;
@group(0) @binding(1) var<storage> b: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> quotient: array<array<vec4i, 3>>;
@group(0) @binding(3) var<storage, read_write> remainder: array<array<vec4i, 3>>;

// Quotients round to zero; x / 0 is x and x % 0 is 0, and so for the least number over -1.
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    quotient[i][0] = p / q;
    quotient[i][1] = vec4i(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4i(p.xy / q.xy, p.zw / q.zw);
    remainder[i][0] = p % q;
    remainder[i][1] = vec4i(p.xyz % q.xyz, p.w % q.w);
    remainder[i][2] = vec4i(p.xy % q.xy, p.zw % q.zw);
}
