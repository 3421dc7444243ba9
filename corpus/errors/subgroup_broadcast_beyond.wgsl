// No subgroup has so many.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    b[i] = subgroupBroadcast(i, 128); //~ error[invalid] cannot take 128
}
