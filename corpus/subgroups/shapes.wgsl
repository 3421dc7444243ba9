// Subgroups go by the local index, whatever the shape of the workgroup.
//! subgroup 8
//! ours
//! grid 2
//! out b = u32[28, 28, 28, 28, 28, 28, 28, 28, 92, 92, 92, 92, 92, 92, 92, 92, 156, 156, 156, 156, 156, 156, 156, 156, 220, 220, 220, 220, 220, 220, 220, 220]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(2, 4, 2)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    let at = group.x * 16u + i;
    b[at] = subgroupAdd(at);
}
