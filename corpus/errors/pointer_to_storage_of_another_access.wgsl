@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn put(n: u32, p: ptr<storage, array<u32>, read_write>) {
    (*p)[0] = n;
}

@compute @workgroup_size(1)
fn main() {
    put(1, &b);
    put(1, &a); //~ error[invalid] argument 2 of `put` is no pointer of the type that it takes
}
