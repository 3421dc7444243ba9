//! out b = u32[5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> a: array<atomic<u32>, 2>;
fn f(p: ptr<workgroup, array<atomic<u32>, 2>>, i: u32) { atomicAdd(&p[i], 5); }

@compute @workgroup_size(1)
fn main() {
    f(&a, 1);
    b[0] = atomicLoad(&a[1]);
}
