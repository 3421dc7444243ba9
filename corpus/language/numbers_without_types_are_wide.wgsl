//! out b = u32[1024, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    const big = 1 << 40;
    b[0] = u32(big >> 30);
    const third = 1.0 / 3;
    b[1] = u32(third * 9 + 0.5);
}
