//! grid 2
//! in x = i64[1, -8, 1, -256, 5, -5, 9223372036854775807, 1, -9223372036854775808, 9223372036854775807, 9,
//!     -9223372036854775808, -467742476707702262, 2878021844491117642, -7547453996680318933, -7567714088367042457]
//! in amount = u32[0, 1, 63, 4, 64, 65, 127, 4294967295, 7, 16, 128, 31, 13, 5, 3, 2147483648]
//! out left = i64[(1, -16, -9223372036854775808, -4096) x 3,
//!     (5, -10, -9223372036854775808, -9223372036854775808) x 3, (0, -65536, 9, 0) x 3,
//!     (5176398142089805824, -137021344831993536, -5039399752313896616, -7567714088367042457) x 3]
//! out right = i64[(1, -4, 0, -16) x 3, (5, -3, 0, 0) x 3,
//!     (-72057594037927936, 140737488355327, 9, -4294967296) x 3,
//!     (-57097470301234, 89938182640347426, -943431749585039867, -7567714088367042457) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
@group(0) @binding(1) var<storage> amount: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> left: array<array<vec4<i64>, 3>>;
@group(0) @binding(3) var<storage, read_write> right: array<array<vec4<i64>, 3>>;

// Amounts are taken modulo 64; the sign is kept to the right.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let a_i = amount[i];
    left[i][0] = v << a_i;
    left[i][1] = vec4<i64>(v.xyz << a_i.xyz, v.w << a_i.w);
    left[i][2] = vec4<i64>(v.xy << a_i.xy, v.zw << a_i.zw);
    right[i][0] = v >> a_i;
    right[i][1] = vec4<i64>(v.xyz >> a_i.xyz, v.w >> a_i.w);
    right[i][2] = vec4<i64>(v.xy >> a_i.xy, v.zw >> a_i.zw);
}
