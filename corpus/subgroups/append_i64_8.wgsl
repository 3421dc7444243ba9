// Each subgroup appends what it keeps: lanes of a mask side by side, 8 of them.
//! subgroup 8
//! grid 2
//! out b = i64[-7, 19999999993, 24999999993, 29999999993, 34999999993, 0, 0, 0, 39999999993, 44999999993, 64999999993, 69999999993, 74999999993, 0, 0, 0, 79999999993, 84999999993, 89999999993, 109999999993, 114999999993, 0, 0, 0, 119999999993, 124999999993, 129999999993, 134999999993, 154999999993, 0, 0, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i64>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32) {
    let i = id.x;
    let kept = keeps(i);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[group.x * 16u + sub * 8u + rank] = i64(i32(i)) * 5000000000li - 7li;
    }
}
