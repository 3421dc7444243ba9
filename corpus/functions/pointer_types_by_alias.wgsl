//! out b = u32[7, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
alias P = ptr<storage, array<u32>, read_write>;
alias W = ptr<workgroup, u32>;
var<workgroup> w: u32;
fn put(p: P, i: u32) { p[i] = 7; }
fn take(q: W) -> u32 { *q = 3; return *q; }

@compute @workgroup_size(1)
fn main() {
    put(&b, 0);
    b[1] = take(&w);
}
