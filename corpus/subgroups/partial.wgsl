// The last subgroup of a workgroup may have fewer.
//! subgroup 8
//! ours
//! grid 2
//! out b = u32[8, 28, 0, 2, 8, 28, 0, 2, 8, 28, 1, 2, 8, 28, 3, 2, 8, 28, 6, 2, 8, 28, 10, 2, 8, 28, 15, 2, 8, 28, 21, 2, 5, 50, 0, 2, 5, 50, 8, 2, 5, 50, 17, 2, 5, 50, 27, 2, 5, 50, 38, 2, 8, 132, 0, 2, 8, 132, 13, 2, 8, 132, 27, 2, 8, 132, 42, 2, 8, 132, 58, 2, 8, 132, 75, 2, 8, 132, 93, 2, 8, 132, 112, 2, 5, 115, 0, 2, 5, 115, 21, 2, 5, 115, 43, 2, 5, 115, 66, 2, 5, 115, 90, 2]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(13)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32, @builtin(num_subgroups) count: u32) {
    b[4u * id.x] = subgroupAdd(1u);
    b[4u * id.x + 1u] = subgroupAdd(id.x);
    b[4u * id.x + 2u] = subgroupExclusiveAdd(id.x);
    b[4u * id.x + 3u] = count;
}
