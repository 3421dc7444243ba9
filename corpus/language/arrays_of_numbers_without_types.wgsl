//! out b = u32[2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    const A = array(1, 2.5, 3);
    let x: f32 = A[1];
    b[0] = u32(x);
    let y: array<f32, 3> = array(1, 2, 3);
    b[1] = u32(y[2]);
}
