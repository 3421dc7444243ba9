//! out b = u32[4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const N = 4;
const_assert N == 4;
const_assert(N > 2 && N < 10);

@compute @workgroup_size(1)
fn main() {
    const_assert vec2(1, 2).y == 2;
    const INNER = N * 2;
    const_assert INNER == 8;
    b[0] = N;
}
