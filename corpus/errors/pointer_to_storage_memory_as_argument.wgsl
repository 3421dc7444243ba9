@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn put(p: ptr<storage, array<u32>, read_write>, value: u32) { //~ error[invalid] into memory that is shared
    (*p)[0] = value;
}

@compute @workgroup_size(1)
fn main() {
    put(&b, 1);
}
