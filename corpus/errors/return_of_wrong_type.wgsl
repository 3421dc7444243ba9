@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn half(x: u32) -> u32 {
    return f32(x) / 2; //~ error[invalid] what is returned must be `u32`
}

@compute @workgroup_size(1)
fn main() {
    b[0] = half(1);
}
