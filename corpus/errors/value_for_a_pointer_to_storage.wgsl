@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn put(p: ptr<storage, u32, read_write>) {
    *p = 1;
}

@compute @workgroup_size(1)
fn main() {
    put(b[0]); //~ error[invalid]
}
