//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[24042, 17042, 10042, 3042, 21061, 14061, 7061, 61, 18049, 11049, 4049, 28049, 15051, 8051,
//!     1051, 25051, 54, 54]
//! out sums = u32[54, 42, 61, 49, 51]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
var<workgroup> tile: array<u32, 4>;

// Each workgroup's own tile is still there behind the barrier.
@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let n = arrayLength(&b);
    if id.x < n {
        tile[local] = a[id.x];
    }
    workgroupBarrier();
    if local == 0 {
        sums[group.x] = tile[0] + tile[1] + tile[2] + tile[3];
    }
    gridBarrier();
    if id.x < n {
        b[id.x] = tile[3 - local] * 1000 + sums[(group.x + 1) % 5];
    }
}
