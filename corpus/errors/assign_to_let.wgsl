@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let x = 1u;
    x = 2; //~ error[syntax] invalid left-hand side
    b[0] = x;
}
