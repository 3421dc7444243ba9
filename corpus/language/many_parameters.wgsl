//! out b = u32[136]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(
    a0: u32, a1: u32, a2: u32, a3: u32, a4: u32, a5: u32, a6: u32, a7: u32, a8: u32, a9: u32,
    a10: u32, a11: u32, a12: u32, a13: u32, a14: u32, a15: u32,
) -> u32 {
    return a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15;
}

@compute @workgroup_size(1)
fn main() {
    b[0] = f(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16);
}
