// Not all of a subgroup come here.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    if i > 5u {
        b[i] = subgroupAdd(i); //~ error[subgroup-divergence] `subgroupAdd` may not be reached
    }
}
