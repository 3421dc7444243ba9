// In each branch those take part that are in it, and after it all.
//! subgroup 8
//! grid 2
//! out b = u32[803009, 800007, 801007, 803009, 802007, 803007, 803009, 804007, 800014, 803036, 801014, 802014, 803036, 803014, 804014, 803036, 800023, 801023, 802039, 802023, 803023, 802039, 804023, 805023, 803081, 800031, 801031, 803081, 802031, 803031, 803081, 804031]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    var r = 0u;
    if id.x % 3u == 0u {
        r = subgroupAdd(id.x) + subgroupAdd(1u) * 1000u;
    } else {
        r = subgroupMax(id.x) + subgroupExclusiveAdd(1u) * 1000u;
    }
    b[id.x] = r + subgroupAdd(1u) * 100000u;
}
