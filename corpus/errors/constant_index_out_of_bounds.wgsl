@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var items: array<u32, 4>;
    b[0] = items[4]; //~ error[invalid]
}
