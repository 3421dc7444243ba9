// No place is inside.
//! subgroup 32
//! finds out-of-bounds
//! grid 1
//! in start = u32[4000000000]
//! in b = u32[9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]
//! out b = u32[9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage> start: u32;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(32)
fn main(@builtin(subgroup_invocation_id) lane: u32) {
    let kept = keeps(lane);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[start + rank] = lane + 1u;
    }
}
