// Broadcasts and shuffles, with lanes that are constant, the same for all, and each another.
//! subgroup 8
//! grid 2
//! out b = u32[5, 0, 7, 0, 6, 3, 0, 5, 0, 6, 3, 7, 4, 0, 5, 0, 5, 6, 4, 5, 0, 5, 0, 4, 1, 5, 6, 1, 5, 0, 3, 4, 2, 7, 2, 5, 0, 2, 7, 3, 0, 3, 5, 0, 1, 2, 0, 0, 4, 5, 0, 0, 5, 1, 0, 5, 13, 8, 15, 8, 14, 11, 0, 13, 8, 14, 11, 15, 12, 0, 13, 8, 13, 14, 12, 13, 8, 13, 8, 12, 9, 13, 14, 9, 13, 8, 11, 12, 10, 15, 10, 13, 8, 10, 15, 11, 0, 11, 13, 8, 9, 10, 8, 0, 12, 13, 8, 8, 13, 9, 0, 13, 21, 16, 23, 16, 22, 19, 0, 21, 16, 22, 19, 23, 20, 0, 21, 16, 21, 22, 20, 21, 16, 21, 16, 20, 17, 21, 22, 17, 21, 16, 19, 20, 18, 23, 18, 21, 16, 18, 23, 19, 0, 19, 21, 16, 17, 18, 16, 0, 20, 21, 16, 16, 21, 17, 0, 21, 29, 24, 31, 24, 30, 27, 0, 29, 24, 30, 27, 31, 28, 0, 29, 24, 29, 30, 28, 29, 24, 29, 24, 28, 25, 29, 30, 25, 29, 24, 27, 28, 26, 31, 26, 29, 24, 26, 31, 27, 0, 27, 29, 24, 25, 26, 24, 0, 28, 29, 24, 24, 29, 25, 0, 29]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let o = 7u * id.x;
    b[o] = subgroupBroadcast(id.x, 5);
    b[o + 1u] = subgroupBroadcastFirst(id.x);
    b[o + 2u] = subgroupShuffle(id.x, 7u - lane);
    b[o + 3u] = subgroupShuffle(id.x, i32(lane * 3u % 8u));
    b[o + 4u] = subgroupShuffleXor(id.x, 6);
    let down = subgroupShuffleDown(id.x, 3u);
    b[o + 5u] = select(0u, down, lane < 5u);
    let up = subgroupShuffleUp(id.x, 2u);
    b[o + 6u] = select(0u, up, lane >= 2u);
}
