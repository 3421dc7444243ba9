//! grid 2
//! in x = u64[1, 18446744073709551608, 1, 256, 5, 5, 18446744073709551615, 1, 0, 18446744073709551615, 9, 0,
//!     14430862502774015578, 17753790263316491404, 2068483006385572002, 10752440695329119758]
//! in amount = u32[0, 1, 63, 4, 64, 65, 127, 4294967295, 7, 16, 128, 31, 13, 5, 3, 2147483648]
//! out left = u64[(1, 18446744073709551600, 9223372036854775808, 4096) x 3,
//!     (5, 10, 9223372036854775808, 9223372036854775808) x 3, (0, 18446744073709486080, 9, 0) x 3,
//!     (10889598393928859648, 14718966214841176448, 16547864051084576016, 10752440695329119758) x 3]
//! out right = u64[(1, 9223372036854775804, 0, 16) x 3, (5, 2, 1, 0) x 3, (0, 281474976710655, 9, 0) x 3,
//!     (1761579895358156, 554805945728640356, 258560375798196500, 10752440695329119758) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage> amount: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> left: array<array<vec4<u64>, 3>>;
@group(0) @binding(3) var<storage, read_write> right: array<array<vec4<u64>, 3>>;

// Amounts are taken modulo 64.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let a_i = amount[i];
    left[i][0] = v << a_i;
    left[i][1] = vec4<u64>(v.xyz << a_i.xyz, v.w << a_i.w);
    left[i][2] = vec4<u64>(v.xy << a_i.xy, v.zw << a_i.zw);
    right[i][0] = v >> a_i;
    right[i][1] = vec4<u64>(v.xyz >> a_i.xyz, v.w >> a_i.w);
    right[i][2] = vec4<u64>(v.xy >> a_i.xy, v.zw >> a_i.zw);
}
