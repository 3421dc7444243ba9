// Each subgroup appends what it keeps: lanes of a mask side by side, 32 of them.
//! subgroup 32
//! grid 2
//! out b = f16[0.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 31.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32.0, 33.0, 34.0, 35.0, 36.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
enable subgroups;
enable f16;

@group(0) @binding(0) var<storage, read_write> b: array<f16>;

fn keeps(i: u32) -> bool { return (i * i + i / 3u) % 3u != 1u; }

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(subgroup_id) sub: u32) {
    let i = id.x;
    let kept = keeps(i);
    let rank = subgroupExclusiveAdd(u32(kept));
    if kept {
        b[group.x * 32u + sub * 32u + rank] = f16(i);
    }
}
