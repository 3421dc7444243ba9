// Each subgroup appends what it keeps: lanes of a mask side by side, 16 of them.
//! subgroup 16
//! grid 2
//! out b = u32[0, 28, 35, 42, 49, 56, 63, 91, 98, 105, 0, 0, 0, 0, 0, 0, 112, 119, 126, 154, 161, 168, 175, 182, 189, 217, 0, 0, 0, 0, 0, 0, 224, 231, 238, 245, 252, 280, 287, 294, 301, 308, 315, 0, 0, 0, 0, 0, 343, 350, 357, 364, 371, 378, 406, 413, 420, 427, 434, 441, 0, 0, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32) {
    let i = id.x;
    let kept = keeps(i);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[group.x * 32u + sub * 16u + rank] = i * 7u;
    }
}
