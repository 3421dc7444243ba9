@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn twice(x: u32) -> u32 { //~ error[invalid]
    let y = 2 * x;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = twice(1);
}
