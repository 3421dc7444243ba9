// Loops in loops, in a function that some leave early.
//! subgroup 8
//! grid 2
//! out b = u32[506, 506, 119002, 506, 506, 506, 506, 179002, 505, 505, 407003, 965003, 505, 505, 631003, 505, 505, 505, 505, 1111003, 505, 505, 727003, 1745003, 506, 506, 1559002, 506, 506, 506, 506, 1619002]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn work(i: u32) -> u32 {
    var s = 0u;
    for (var a = 0u; a <= i % 3u; a++) {
        for (var c = 0u; c < i % 4u && c < 3u; c++) {
            s += subgroupAdd(1u) + 10u * subgroupMin(i);
        }
    }
    if s % 2u == 0u {
        return subgroupAdd(1u) + 500u;
    }
    return subgroupAdd(1u) + s * 1000u;
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    b[id.x] = work(id.x);
}
