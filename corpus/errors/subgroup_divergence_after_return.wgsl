// Some have left.
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    if i > 5u {
        return;
    }
    b[i] = subgroupBallot(true).x; //~ error[subgroup-divergence] `subgroupBallot`
}
