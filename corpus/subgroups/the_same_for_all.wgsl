// Operations on what is the same for all.
//! subgroup 8
//! grid 2
//! out b = u32[24, 1, 24, 2, 24, 3, 24, 4, 24, 5, 24, 6, 24, 7, 24, 8, 24, 1, 24, 2, 24, 3, 24, 4, 24, 5, 24, 6, 24, 7, 24, 8, 124, 2, 124, 4, 124, 6, 124, 8, 124, 10, 124, 12, 124, 14, 124, 16, 124, 2, 124, 4, 124, 6, 124, 8, 124, 10, 124, 12, 124, 14, 124, 16]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32, @builtin(workgroup_id) group: vec3u) {
    b[2u * id.x] = subgroupAdd(3u) + subgroupShuffle(group.x, lane) * 100u;
    b[2u * id.x + 1u] = subgroupInclusiveAdd(group.x + 1u);
}
