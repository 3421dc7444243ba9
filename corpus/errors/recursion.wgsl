@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn down(x: u32) -> u32 { //~ error[invalid] recursive
    if x == 0 {
        return 0;
    }
    return down(x - 1) + 1;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = down(3);
}
