// One invocation that does next to nothing: what remains is the cost of a call.

@group(0) @binding(0) var<storage, read_write> x: array<u32>;

@compute @workgroup_size(1)
fn main() {
    x[0] = 1u;
}
