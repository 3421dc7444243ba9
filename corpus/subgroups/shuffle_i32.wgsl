// Other types go the same ways.
//! subgroup 8
//! grid 2
//! out b = i32[0, -6, -4, -7, -1, -7, -4, -7, -2, -4, -4, -7, -3, -5, -4, -7, -4, -2, -4, -7, -5, -3, -4, -7, -6, 0, -4, -7, -7, -1, -4, -7, 8, 2, 4, 1, 7, 1, 4, 1, 6, 4, 4, 1, 5, 3, 4, 1, 4, 6, 4, 1, 3, 5, 4, 1, 2, 8, 4, 1, 1, 7, 4, 1, 16, 10, 12, 9, 15, 9, 12, 9, 14, 12, 12, 9, 13, 11, 12, 9, 12, 14, 12, 9, 11, 13, 12, 9, 10, 16, 12, 9, 9, 15, 12, 9, 24, 18, 20, 17, 23, 17, 20, 17, 22, 20, 20, 17, 21, 19, 20, 17, 20, 22, 20, 17, 19, 21, 20, 17, 18, 24, 20, 17, 17, 23, 20, 17]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = i32(id.x) - 7;
    b[4u * id.x] = subgroupShuffle(x, 7u - lane);
    b[4u * id.x + 1u] = subgroupShuffleXor(x, 1u);
    b[4u * id.x + 2u] = subgroupBroadcast(x, 3u);
    b[4u * id.x + 3u] = subgroupBroadcastFirst(x);
}
