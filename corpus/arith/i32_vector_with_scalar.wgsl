//! grid 2
//! in x = i32[1, -2, 3] pad[4] i32[100, 0, -100] pad[4] i32[2147483647, -2147483648, -1] pad[4] i32[17, 18, -19]
//!     pad[4]
//! in y = i32[10, -7, -1, 5]
//! out sums = i32[11, 8, 13] pad[4] i32[11, 8, 13] pad[4] i32[93, -7, -107] pad[4] i32[93, -7, -107] pad[4]
//!     i32[2147483646, 2147483647, -2] pad[4] i32[2147483646, 2147483647, -2] pad[4] i32[22, 23, -14] pad[4]
//!     i32[22, 23, -14] pad[4]
//! out differences = i32[-9, -12, -7] pad[4] i32[9, 12, 7] pad[4] i32[107, 7, -93] pad[4] i32[-107, -7, 93] pad[4]
//!     i32[-2147483648, -2147483647, 0] pad[4] i32[-2147483648, 2147483647, 0] pad[4] i32[12, 13, -24] pad[4]
//!     i32[-12, -13, 24] pad[4]
//! out products = i32[10, -20, 30] pad[4] i32[10, -20, 30] pad[4] i32[-700, 0, 700] pad[4] i32[-700, 0, 700] pad[4]
//!     i32[-2147483647, -2147483648, 1] pad[4] i32[-2147483647, -2147483648, 1] pad[4] i32[85, 90, -95] pad[4]
//!     i32[85, 90, -95] pad[4]
//! out quotients = i32[0, 0, 0] pad[4] i32[10, -5, 3] pad[4] i32[-14, 0, 14] pad[4] i32[0, -7, 0] pad[4]
//!     i32[-2147483647, -2147483648, 1] pad[4] i32[0, 0, 1] pad[4] i32[3, 3, -3] pad[4] i32[0, 0, 0] pad[4]
//! out remainders = i32[1, -2, 3] pad[4] i32[0, 0, 1] pad[4] i32[2, 0, -2] pad[4] i32[-7, 0, -7] pad[4]
//!     i32[0, 0, 0] pad[4] i32[-1, -1, 0] pad[4] i32[2, 3, -4] pad[4] i32[5, 5, 5] pad[4]
@group(0) @binding(0) var<storage> x: array<vec3i>;
@group(0) @binding(1) var<storage> y: array<i32>;
@group(0) @binding(2) var<storage, read_write> sums: array<array<vec3i, 2>>;
@group(0) @binding(3) var<storage, read_write> differences: array<array<vec3i, 2>>;
@group(0) @binding(4) var<storage, read_write> products: array<array<vec3i, 2>>;
@group(0) @binding(5) var<storage, read_write> quotients: array<array<vec3i, 2>>;
@group(0) @binding(6) var<storage, read_write> remainders: array<array<vec3i, 2>>;

// The scalar goes with each component, on either side.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let s = y[i];
    sums[i] = array(v + s, s + v);
    differences[i] = array(v - s, s - v);
    products[i] = array(v * s, s * v);
    quotients[i] = array(v / s, s / v);
    remainders[i] = array(v % s, s % v);
}
