// Each subgroup appends what it keeps: lanes of a mask side by side, 32 of them.
//! subgroup 32
//! grid 2
//! out b = i32[-20, -16, -15, -14, -13, -12, -11, -7, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 25, 29, 30, 31, 32, 33, 34, 38, 39, 40, 41, 42, 43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 47, 48, 49, 50, 51, 52, 56, 57, 58, 59, 60, 61, 65, 66, 67, 68, 69, 70, 74, 75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 76, 77, 78, 79, 83, 84, 85, 86, 87, 88, 92, 93, 94, 95, 96, 97, 101, 102, 103, 104, 105, 106, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32) {
    let i = id.x;
    let kept = keeps(i);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[group.x * 64u + sub * 32u + rank] = i32(i) - 20;
    }
}
