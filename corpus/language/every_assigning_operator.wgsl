//! out b = u32[3, 2, 7, 6, 1, 8, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var x = 1u;
    x |= 2;
    b[0] = x;
    x &= 2;
    b[1] = x;
    x ^= 5;
    b[2] = x;
    x -= 1;
    b[3] = x;
    x %= 5;
    b[4] = x;
    x <<= 3;
    b[5] = x;
    x >>= 2u;
    b[6] = x;
}
