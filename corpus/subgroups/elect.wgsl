// subgroupElect chooses the first of those that are there.
//! subgroup 8
//! grid 2
//! out b = u32[3, 1, 4, 2, 4, 2, 4, 2, 3, 1, 4, 2, 4, 2, 4, 2, 3, 1, 4, 2, 4, 2, 4, 2, 3, 1, 4, 2, 4, 2, 4, 2]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn first() -> bool {
    return subgroupElect();
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    if id.x % 2u == 1u {
        b[id.x] = select(2u, 1u, subgroupElect());
    } else {
        b[id.x] = select(4u, 3u, first());
    }
}
