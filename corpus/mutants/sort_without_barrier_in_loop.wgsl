//! racy
//! grid 3
//! in a = u32[331, 970, 154, 404, 666, 49, 74, 840, 548, 96, 374, 596, 59, 931, 519, 219, 38, 88, 444, 428,
//!     71, 246, 92, 564, 434, 60, 846, 579, 126, 970, 228, 645, 642, 596, 970, 63, 590, 599, 406, 50, 999,
//!     226, 47, 570, 879, 136, 296, 429]
//! out b = u32[49, 59, 74, 96, 154, 219, 331, 374, 404, 519, 548, 596, 666, 840, 931, 970, 38, 60, 71, 88,
//!     92, 126, 228, 246, 428, 434, 444, 564, 579, 645, 846, 970, 47, 50, 63, 136, 226, 296, 406, 429, 570,
//!     590, 596, 599, 642, 879, 970, 999]
//! finds race
// `algorithms/bitonic_sort`, without the barrier of each step.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 16>;

@compute @workgroup_size(16)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    tile[local] = a[id.x];
    workgroupBarrier();
    for (var run = 2u; run <= 16; run *= 2) {
        for (var step = run / 2; step > 0; step /= 2) {
            let other = local ^ step;
            if other > local {
                let up = (local & run) == 0;
                let p = tile[local];
                let q = tile[other];
                if (p > q) == up {
                    tile[local] = q;
                    tile[other] = p;
                }
            }
        }
    }
    b[id.x] = tile[local];
}
