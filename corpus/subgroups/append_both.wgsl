// What is kept comes first, and the rest behind it.
//! subgroup 32
//! grid 2
//! out b = u32[0, 4, 5, 6, 7, 8, 9, 13, 14, 15, 16, 17, 18, 22, 23, 24, 25, 26, 27, 31, 1, 2, 3, 10, 11, 12, 19, 20, 21, 28, 29, 30, 32, 33, 34, 35, 36, 40, 41, 42, 43, 44, 45, 49, 50, 51, 52, 53, 54, 58, 59, 60, 61, 62, 63, 37, 38, 39, 46, 47, 48, 55, 56, 57]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
    let kept = keeps(id.x);
    let rank = subgroupExclusiveAdd(u32(kept));
    let other = subgroupExclusiveAdd(u32(!kept));
    let all = subgroupAdd(u32(kept));
    if kept {
        b[group.x * 32u + rank] = id.x;
    } else {
        b[group.x * 32u + all + other] = id.x;
    }
}
