// Lanes that were counted and left before the store leave gaps.
//! subgroup 32
//! grid 2
//! out b = u32[0, 5, 0, 7, 8, 9, 10, 14, 15, 0, 17, 18, 19, 23, 24, 25, 0, 27, 28, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 34, 35, 36, 37, 41, 42, 0, 44, 45, 46, 50, 51, 52, 0, 54, 55, 59, 60, 61, 62, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let kept = keeps(id.x);
    let rank = subgroupExclusiveAdd(u32(kept));
    if lane % 5u == 0u { return; }
    if kept {
        b[group.x * 32u + rank] = id.x + 1u;
    }
}
