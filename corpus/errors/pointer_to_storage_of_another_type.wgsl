@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn put(p: ptr<storage, array<i32>, read_write>) {
    (*p)[0] = 1;
}

@compute @workgroup_size(1)
fn main() {
    put(&b); //~ error[invalid] argument 1 of `put` is no pointer of the type that it takes
}
