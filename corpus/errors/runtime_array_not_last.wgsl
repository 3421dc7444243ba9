struct List { //~ error[invalid]
    items: array<u32>,
    count: u32,
}
@group(0) @binding(0) var<storage, read_write> b: List;

@compute @workgroup_size(1)
fn main() {
    b.count = 1;
}
