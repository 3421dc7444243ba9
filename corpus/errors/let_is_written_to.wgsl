@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let x = 1u + 1u;
    x += 2u; //~ error[syntax]
    b[0] = x;
}
