// The attribute is for its function alone.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@diagnostic(off, subgroup_uniformity)
fn half(i: u32) -> u32 {
    if i > 5u {
        return subgroupAdd(i);
    }
    return 0u;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    b[i] = half(i);
    if i > 7u {
        b[i] = subgroupAdd(i); //~ error[subgroup-divergence] `subgroupAdd`
    }
}
