@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(0) var<storage, read_write> b: array<u32>; //~ error[duplicate-binding] group 0 binding 0

@compute @workgroup_size(1)
fn main() {
    a[0] = 1;
    b[0] = 2;
}
