// Distances and lanes that are known when the program runs.
//! subgroup 8
//! grid 2
//! out b = u32[0, 0, 0, 1, 0, 2, 1, 1, 0, 4, 2, 1, 3, 3, 3, 1, 3, 5, 4, 1, 3, 7, 5, 1, 6, 6, 6, 1, 6, 0, 7, 1, 8, 8, 9, 10, 8, 10, 8, 10, 8, 12, 11, 10, 11, 11, 10, 10, 11, 13, 13, 10, 11, 15, 12, 10, 14, 14, 15, 10, 14, 0, 14, 10, 16, 16, 18, 19, 16, 18, 19, 19, 16, 20, 16, 19, 19, 19, 17, 19, 19, 21, 22, 19, 19, 23, 23, 19, 22, 22, 20, 19, 22, 0, 21, 19, 24, 24, 27, 28, 24, 26, 26, 28, 24, 28, 25, 28, 27, 27, 24, 28, 27, 29, 31, 28, 27, 31, 30, 28, 30, 30, 29, 28, 30, 0, 28, 28]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let d = lane % 3u;
    let by = id.x / 8u % 4u;
    let up = subgroupShuffleUp(id.x, d);
    let down = subgroupShuffleDown(id.x, d);
    b[4u * id.x] = select(0u, up, lane >= d);
    b[4u * id.x + 1u] = select(0u, down, lane + d < 8u);
    b[4u * id.x + 2u] = subgroupShuffleXor(id.x, by);
    b[4u * id.x + 3u] = subgroupShuffle(id.x, by + 1u);
}
