@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn even(x: u32) -> bool {
    if x == 0 {
        return true;
    }
    return odd(x - 1);
}

fn odd(x: u32) -> bool { //~ error[invalid] declaration of `even` is cyclic
    if x == 0 {
        return false;
    }
    return even(x - 1);
}

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(even(4));
}
