@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> count: atomic<u32>; //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = atomicAdd(&count, 1);
}
