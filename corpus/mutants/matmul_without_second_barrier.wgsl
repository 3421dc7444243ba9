//! racy
//! grid 2,2
//! in a = f32[1.0, 1.0, 2.0, 6.0, 9.0, 5.0, -7.0, -7.0, -1.0, 6.0, -7.0, -8.0, 0.0, 9.0, 5.0, 0.0, 3.0, 2.0,
//!     -9.0, 5.0, 2.0, -4.0, -6.0, 6.0, -8.0, -3.0, 0.0, -5.0, -2.0, 3.0, 3.0, 6.0, -7.0, -4.0, 5.0, 3.0,
//!     8.0, -1.0, -5.0, 4.0, 8.0, -1.0, 4.0, 2.0, 3.0, -2.0, -5.0, -7.0, -4.0, -5.0, -2.0, -2.0, -9.0, 6.0,
//!     9.0, -4.0, -1.0, 0.0, -9.0, -5.0, 4.0, 8.0, 2.0, 9.0]
//! in b = f32[1.0, -5.0, 7.0, -8.0, 5.0, 8.0, 3.0 x 4, -6.0, 6.0, 3.0, -8.0, -3.0, -7.0, -3.0, 5.0, -4.0,
//!     -6.0, 1.0, -8.0, -6.0, -9.0, 9.0, -5.0, 8.0, -6.0, 2.0, -9.0, -7.0, -3.0, 3.0, -5.0, -1.0, 2.0, 2.0,
//!     6.0, -6.0, -6.0, 6.0, 5.0, 6.0, 6.0, 0.0, -7.0, -5.0, -6.0, 1.0, -1.0, 6.0, -4.0, 7.0, -9.0, -3.0,
//!     7.0, 2.0, -5.0, 8.0, -9.0, 7.0, 0.0, -7.0, -1.0]
//! out c = f32[88.0, 0.0, -36.0, 89.0, -58.0, 12.0, -63.0, -166.0, 25.0, 68.0, 5.0, 168.0, 25.0, -36.0, 17.0,
//!     23.0, 69.0, -133.0, 71.0, -38.0, 26.0, 129.0, 6.0, 25.0, -35.0, 48.0, 8.0, 24.0, 0.0, -55.0, -34.0,
//!     21.0, 14.0, -27.0, -33.0, -22.0, -27.0, 9.0, -116.0, -128.0, -11.0, -18.0, -39.0, -29.0, -33.0, 99.0,
//!     45.0, -45.0, -21.0, 91.0, 61.0, 44.0, -24.0, -135.0, 54.0, 132.0, 61.0, -42.0, 117.0, 59.0, 61.0,
//!     59.0, -47.0, 26.0]
//! finds race
// `algorithms/matmul_tiled`, without the barrier before the next tile.
const N = 8u;
const TILE = 4u;
@group(0) @binding(0) var<storage> a: array<f32>;
@group(0) @binding(1) var<storage> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> left: array<array<f32, TILE>, TILE>;
var<workgroup> right: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
    var sum = 0.0;
    for (var t = 0u; t < N / TILE; t++) {
        left[local.y][local.x] = a[id.y * N + t * TILE + local.x];
        right[local.y][local.x] = b[(t * TILE + local.y) * N + id.x];
        workgroupBarrier();
        for (var k = 0u; k < TILE; k++) {
            sum += left[local.y][k] * right[k][local.x];
        }
    }
    c[id.y * N + id.x] = sum;
}
