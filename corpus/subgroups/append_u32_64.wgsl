// Each subgroup appends what it keeps: lanes of a mask side by side, 64 of them.
//! subgroup 64
//! grid 2
//! out b = u32[0, 28, 35, 42, 49, 56, 63, 91, 98, 105, 112, 119, 126, 154, 161, 168, 175, 182, 189, 217, 224, 231, 238, 245, 252, 280, 287, 294, 301, 308, 315, 343, 350, 357, 364, 371, 378, 406, 413, 420, 427, 434, 441, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 469, 476, 483, 490, 497, 504, 532, 539, 546, 553, 560, 567, 595, 602, 609, 616, 623, 630, 658, 665, 672, 679, 686, 693, 721, 728, 735, 742, 749, 756, 784, 791, 798, 805, 812, 819, 847, 854, 861, 868, 875, 882, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32) {
    let i = id.x;
    let kept = keeps(i);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[group.x * 64u + sub * 64u + rank] = i * 7u;
    }
}
