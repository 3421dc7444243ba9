//! grid 4
//! in x = i32[6, -8, 2, 0, -15, 3, -19, 1, 15, 9, 8, -19, 4, 1, 13, 19, -2, 12, -16, -13, -6, -14, -15, -4,
//!     -3, -18, -9, -3, -12, 7, -4, 5]
//! in y = i32[-11, 14, 12, 16, 11, 0, -15, -3, -17, -9, 7, -16, -3, -19, -15, -4, -15, 18, -6, -16, -4, -13,
//!     9, -20, 1, 15, 6, -3, 19, -12, -18, 13]
//! out sum = i32[-107]
@group(0) @binding(0) var<storage> x: array<i32>;
@group(0) @binding(1) var<storage> y: array<i32>;
@group(0) @binding(2) var<storage, read_write> sum: atomic<i32>;
var<workgroup> tile: array<i32, 8>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    tile[local] = x[id.x] * y[id.x];
    workgroupBarrier();
    for (var width = 4u; width > 0; width >>= 1) {
        if local < width {
            tile[local] += tile[local + width];
        }
        workgroupBarrier();
    }
    if local == 0 {
        atomicAdd(&sum, tile[0]);
    }
}
