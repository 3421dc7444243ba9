//! set U = 4294967295
//! set I = -3
//! set F = 0.1
//! set T = true
//! set G = false
//! out b = u32[0xffffffff, 0xfffffffd, 0x3dcccccd, 1, 0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override U: u32;
override I: i32 = 5;
override F: f32 = 1.0;
override T: bool;
override G = true;

@compute @workgroup_size(1)
fn main() {
    b[0] = U;
    b[1] = u32(I);
    b[2] = bitcast<u32>(F);
    b[3] = u32(T);
    b[4] = select(0u, 1u, G);
}
