@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn add(x: u32, y: u32) -> u32 {
    return x + y;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = add(1); //~ error[invalid]
}
