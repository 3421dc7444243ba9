@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn put(p: ptr<storage, array<u32>>) {
    (*p)[0] = 1; //~ error[invalid]
}

@compute @workgroup_size(1)
fn main() {
    put(&a);
    b[0] = 1;
}
