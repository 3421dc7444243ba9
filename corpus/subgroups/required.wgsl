// Uniformity is that of the subgroup: what is the same for it may decide.
//! subgroup 8
//! grid 2
//! out b = u32[28, 28, 28, 28, 28, 28, 28, 28, 0 x 8, 156, 156, 156, 156, 156, 156, 156, 156, 0 x 8]
enable subgroups;
requires subgroup_id, subgroup_uniformity;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_id) sub: u32) {
    if sub == 0u {
        b[id.x] = subgroupAdd(id.x);
    }
}
