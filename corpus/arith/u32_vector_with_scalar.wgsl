//! grid 2
//! in x = u32[1, 2, 3] pad[4] u32[100, 0, 55] pad[4] u32[4294967295, 2147483648, 1] pad[4] u32[17, 18, 19] pad[4]
//! in y = u32[10, 7, 2, 5]
//! out sums = u32[11, 12, 13] pad[4] u32[11, 12, 13] pad[4] u32[107, 7, 62] pad[4] u32[107, 7, 62] pad[4]
//!     u32[1, 2147483650, 3] pad[4] u32[1, 2147483650, 3] pad[4] u32[22, 23, 24] pad[4] u32[22, 23, 24] pad[4]
//! out differences = u32[4294967287, 4294967288, 4294967289] pad[4] u32[9, 8, 7] pad[4] u32[93, 4294967289, 48]
//!     pad[4] u32[4294967203, 7, 4294967248] pad[4] u32[4294967293, 2147483646, 4294967295] pad[4]
//!     u32[3, 2147483650, 1] pad[4] u32[12, 13, 14] pad[4] u32[4294967284, 4294967283, 4294967282] pad[4]
//! out products = u32[10, 20, 30] pad[4] u32[10, 20, 30] pad[4] u32[700, 0, 385] pad[4] u32[700, 0, 385] pad[4]
//!     u32[4294967294, 0, 2] pad[4] u32[4294967294, 0, 2] pad[4] u32[85, 90, 95] pad[4] u32[85, 90, 95] pad[4]
//! out quotients = u32[0, 0, 0] pad[4] u32[10, 5, 3] pad[4] u32[14, 0, 7] pad[4] u32[0, 7, 0] pad[4]
//!     u32[2147483647, 1073741824, 0] pad[4] u32[0, 0, 2] pad[4] u32[3, 3, 3] pad[4] u32[0, 0, 0] pad[4]
//! out remainders = u32[1, 2, 3] pad[4] u32[0, 0, 1] pad[4] u32[2, 0, 6] pad[4] u32[7, 0, 7] pad[4] u32[1, 0, 1]
//!     pad[4] u32[2, 2, 0] pad[4] u32[2, 3, 4] pad[4] u32[5, 5, 5] pad[4]
@group(0) @binding(0) var<storage> x: array<vec3u>;
@group(0) @binding(1) var<storage> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<array<vec3u, 2>>;
@group(0) @binding(3) var<storage, read_write> differences: array<array<vec3u, 2>>;
@group(0) @binding(4) var<storage, read_write> products: array<array<vec3u, 2>>;
@group(0) @binding(5) var<storage, read_write> quotients: array<array<vec3u, 2>>;
@group(0) @binding(6) var<storage, read_write> remainders: array<array<vec3u, 2>>;

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
