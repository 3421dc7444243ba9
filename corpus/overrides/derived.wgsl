//! set N = 5
//! out b = u32[10, 13, 0, 8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override N = 2u;
override TWICE = N * 2;
override MORE: u32 = TWICE + 3;
override BIG = N > 6;

@compute @workgroup_size(1)
fn main() {
    b[0] = TWICE;
    b[1] = MORE;
    b[2] = u32(BIG);
    b[3] = N + 3;
}
