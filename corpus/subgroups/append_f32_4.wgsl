// Each subgroup appends what it keeps: lanes of a mask side by side, 4 of them.
//! subgroup 4
//! grid 2
//! out b = f32[0.0, 0, 0, 0, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 0, 0, 6.5, 7.0, 7.5, 0, 8.0, 8.5, 9.0, 0, 11.0, 11.5, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<f32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(12)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32) {
    let i = id.x;
    let kept = keeps(i);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[group.x * 12u + sub * 4u + rank] = f32(i) * 0.5;
    }
}
