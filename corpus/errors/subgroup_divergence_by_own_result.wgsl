// What a scan gives differs from one to the next.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    if subgroupInclusiveAdd(1u) > 3u {
        b[i] = subgroupMax(i); //~ error[subgroup-divergence] `subgroupMax`
    }
}
