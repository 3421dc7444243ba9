@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const N = bitcast<f32>(0x7f800000u); //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(N);
}
