// In each turn of a loop those take part that are still in it.
//! subgroup 8
//! grid 2
//! out b = u32[8000, 8006, 8014, 8020, 8024, 8000, 8006, 8014, 8028, 8036, 8000, 8006, 8016, 8028, 8036, 8000, 8007, 8017, 8026, 8030, 8000, 8007, 8017, 8026, 8031, 8000, 8006, 8014, 8023, 8031, 8000, 8006]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    var s = 0u;
    for (var t = 0u; t < id.x % 5u; t++) {
        s += subgroupAdd(1u) * (t + 1u);
    }
    b[id.x] = s + subgroupAdd(1u) * 1000u;
}
