// A distance is unsigned, unlike the number of a lane.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    b[i] = subgroupShuffle(b[i], b[1]);
    b[i] = subgroupShuffleXor(b[i], b[0]); //~ error[invalid]
}
