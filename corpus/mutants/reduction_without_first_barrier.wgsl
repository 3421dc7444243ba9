//! racy
//! grid 4
//! in a = u32[3, 4, 7, 12, 19, 28, 39, 2, 17, 34, 3, 24, 47, 22, 49, 28, 9, 42, 27, 14, 3, 44, 37, 32, 29,
//!     28, 29, 32, 37, 44, 3, 14]
//! out b = u32[114, 224, 208, 216]
//! finds race
// `workgroup/tree_reduction`, without the barrier after filling the tile.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 8>;

@compute @workgroup_size(8)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = a[id.x];
    for (var width = 4u; width > 0; width /= 2) {
        if local < width {
            tile[local] += tile[local + width];
        }
        workgroupBarrier();
    }
    if local == 0 {
        b[group.x] = tile[0];
    }
}
