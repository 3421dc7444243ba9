// Subgroups of 32.
//! subgroup 32
//! grid 2
//! out b = u32[32, 2, 496, 1227133513, 0, 0, 0, 31, 465, 32, 2, 1520, 2454267026, 0, 0, 0, 63, 1457, 32, 2, 2544, 613566756, 0, 0, 0, 95, 2449, 32, 2, 3568, 1227133513, 0, 0, 0, 127, 3441]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32,
    @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32) {
    let bits = subgroupBallot(id.x % 3u == 0u);
    let sum = subgroupAdd(id.x);
    let last = subgroupShuffle(id.x, 32u - 1u - lane);
    let before = subgroupExclusiveAdd(id.x);
    let far = subgroupBroadcast(before, 31);
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
