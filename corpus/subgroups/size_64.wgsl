// Subgroups of 64.
//! subgroup 64
//! grid 2
//! out b = u32[64, 2, 2016, 1227133513, 2454267026, 0, 0, 63, 1953, 64, 2, 6112, 613566756, 1227133513, 0, 0, 127, 5985, 64, 2, 10208, 2454267026, 613566756, 0, 0, 191, 10017, 64, 2, 14304, 1227133513, 2454267026, 0, 0, 255, 14049]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32,
    @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32) {
    let bits = subgroupBallot(id.x % 3u == 0u);
    let sum = subgroupAdd(id.x);
    let last = subgroupShuffle(id.x, 64u - 1u - lane);
    let before = subgroupExclusiveAdd(id.x);
    let far = subgroupBroadcast(before, 63);
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
