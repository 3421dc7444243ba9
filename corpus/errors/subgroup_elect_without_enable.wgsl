// And what is not naga's.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    b[i] = select(0u, 1u, subgroupElect()); //~ error[extension]
}
