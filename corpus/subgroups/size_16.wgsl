// Subgroups of 16.
//! subgroup 16
//! grid 2
//! out b = u32[16, 2, 120, 37449, 0, 0, 0, 15, 105, 16, 2, 376, 18724, 0, 0, 0, 31, 345, 16, 2, 632, 9362, 0, 0, 0, 47, 585, 16, 2, 888, 37449, 0, 0, 0, 63, 825]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32,
    @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32) {
    let bits = subgroupBallot(id.x % 3u == 0u);
    let sum = subgroupAdd(id.x);
    let last = subgroupShuffle(id.x, 16u - 1u - lane);
    let before = subgroupExclusiveAdd(id.x);
    let far = subgroupBroadcast(before, 15);
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
