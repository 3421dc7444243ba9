// Subgroups of 8.
//! subgroup 8
//! grid 2
//! out b = u32[8, 2, 28, 73, 0, 0, 0, 7, 21, 8, 2, 92, 146, 0, 0, 0, 15, 77, 8, 2, 156, 36, 0, 0, 0, 23, 133, 8, 2, 220, 73, 0, 0, 0, 31, 189]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32,
    @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32) {
    let bits = subgroupBallot(id.x % 3u == 0u);
    let sum = subgroupAdd(id.x);
    let last = subgroupShuffle(id.x, 8u - 1u - lane);
    let before = subgroupExclusiveAdd(id.x);
    let far = subgroupBroadcast(before, 7);
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
