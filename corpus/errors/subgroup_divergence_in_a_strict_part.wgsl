// The innermost word about the rule decides.
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@diagnostic(error, subgroup_uniformity)
fn strict(i: u32) -> u32 {
    if i > 5u {
        return subgroupAdd(i); //~ error[subgroup-divergence] `subgroupAdd`
    }
    return 0u;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    if i > 7u {
        b[i] = subgroupAdd(i);
    }
    b[i] += strict(i);
}
