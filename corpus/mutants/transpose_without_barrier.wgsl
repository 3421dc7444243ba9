//! racy
//! grid 2,2
//! in a = u32[0..64]
//! out b = u32[0, 8, 16, 24, 32, 40, 48, 56, 1, 9, 17, 25, 33, 41, 49, 57, 2, 10, 18, 26, 34, 42, 50, 58, 3,
//!     11, 19, 27, 35, 43, 51, 59, 4, 12, 20, 28, 36, 44, 52, 60, 5, 13, 21, 29, 37, 45, 53, 61, 6, 14, 22,
//!     30, 38, 46, 54, 62, 7, 15, 23, 31, 39, 47, 55, 63]
//! finds race
// `workgroup/tile_transpose`, without its barrier.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<array<u32, 4>, 4>;

@compute @workgroup_size(4, 4)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
    let source = 4 * group.xy + local.xy;
    tile[local.y][local.x] = a[8 * source.y + source.x];
    let target_ = 4 * group.yx + local.xy;
    b[8 * target_.y + target_.x] = tile[local.x][local.y];
}
