// Subgroups of 128.
//! subgroup 128
//! grid 2
//! out b = u32[128, 2, 8128, 1227133513, 2454267026, 613566756, 1227133513, 127, 8001, 128, 2, 24512, 2454267026, 613566756, 1227133513, 2454267026, 255, 24257, 128, 2, 40896, 613566756, 1227133513, 2454267026, 613566756, 383, 40513, 128, 2, 57280, 1227133513, 2454267026, 613566756, 1227133513, 511, 56769]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32,
    @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32) {
    let bits = subgroupBallot(id.x % 3u == 0u);
    let sum = subgroupAdd(id.x);
    let last = subgroupShuffle(id.x, 128u - 1u - lane);
    let before = subgroupExclusiveAdd(id.x);
    let far = subgroupBroadcast(before, 127);
    if lane == 0u {
        let o = 9u * (group.x * count + sub);
        b[o] = size;
        b[o + 1u] = count;
        b[o + 2u] = sum;
        for (var i = 0u; i < 4u; i++) {
            b[o + 3u + i] = bits[i];
        }
        b[o + 7u] = last;
        b[o + 8u] = far;
    }
}
