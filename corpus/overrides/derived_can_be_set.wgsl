//! set TWICE = 100
//! out b = u32[2, 100, 103]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override N = 2u;
override TWICE = N * 2;
override MORE = TWICE + 3;

@compute @workgroup_size(1)
fn main() {
    b[0] = N;
    b[1] = TWICE;
    b[2] = MORE;
}
