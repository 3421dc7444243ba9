// Booleans have no sum.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    if subgroupAdd(i > 3u) { //~ error[invalid]
        b[i] = 1u;
    }
}
