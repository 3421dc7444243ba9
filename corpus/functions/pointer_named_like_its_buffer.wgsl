//! out b = u32[9]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(b: ptr<storage, array<u32>, read_write>) { b[0] = 9; }

@compute @workgroup_size(1)
fn main() {
    f(&b);
}
