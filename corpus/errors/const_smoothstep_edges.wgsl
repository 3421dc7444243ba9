@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const N = smoothstep(1.0, 1.0, 0.5); //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(N);
}
