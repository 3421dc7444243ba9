//! racy
//! grid 3
//! in a = u32[5, 1, 14, 10, 6, 2, 15, 11, 7, 3, 16, 12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15]
//! out b = u32[5, 6, 20, 30, 36, 38, 53, 64, 7, 10, 26, 38, 46, 50, 50, 63, 9, 14, 15, 29, 39, 45, 47, 62]
//! finds race
// `workgroup/inclusive_scan`, without the barrier between reading and writing.
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
    for (var step = 1u; step < 8; step *= 2) {
        workgroupBarrier();
        var sum = tile[local];
        if local >= step {
            sum += tile[local - step];
        }
        tile[local] = sum;
    }
    b[id.x] = tile[local];
}
