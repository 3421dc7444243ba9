//! out b = u32[4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override n: u32 = 4;
var<workgroup> w: array<u32, n>;
fn f(p: ptr<workgroup, array<u32, n>>) -> u32 { return p[n - 1]; }

@compute @workgroup_size(1)
fn main() {
    w[3] = 4;
    b[0] = f(&w);
}
