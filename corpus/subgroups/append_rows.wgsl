// One row after the other, with places that are counted up to the lane itself.
//! subgroup 16
//! grid 2
//! out b = u32[1, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19, 23, 24, 25, 26, 27, 28, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 55, 59, 60, 61, 62, 63, 64, 68, 69, 70, 71, 72, 73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49, 1, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19, 23, 24, 25, 26, 27, 28, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 55, 59, 60, 61, 62, 63, 64, 68, 69, 70, 71, 72, 73, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 49]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(16)
fn main(@builtin(subgroup_invocation_id) lane: u32, @builtin(workgroup_id) group: vec3u) {
    var at = 80u * group.x;
    for (var row = 0u; row < 75u; row += 16u) {
        let i = row + lane;
        let kept = i < 75u && keeps(i);
        let upto = subgroupInclusiveAdd(select(0u, 1u, kept));
        if kept {
            b[at + upto - 1u] = i + 1u;
        }
        at += subgroupAdd(u32(kept));
    }
    if lane == 0u { b[80u * group.x + 79u] = at - 80u * group.x; }
}
