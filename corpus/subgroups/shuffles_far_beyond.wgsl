// Distances that wrap around lead nowhere.
//! subgroup 8
//! ours
//! grid 2
//! out b = u32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let far = 0xffffffffu - id.x % 2u;
    b[3u * id.x] = subgroupShuffleDown(id.x + 1u, far);
    b[3u * id.x + 1u] = subgroupShuffleUp(id.x + 1u, far);
    b[3u * id.x + 2u] = subgroupShuffle(id.x + 1u, far);
}
