// So are their builtin inputs.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) n: u32) { //~ error[extension] `subgroup_size`
    b[i] = n;
}
