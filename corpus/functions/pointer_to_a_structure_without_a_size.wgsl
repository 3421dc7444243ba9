//! out b = u32[2]
//! in s = u32[3, 1, 4, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { n: u32, a: array<u32> }
@group(0) @binding(1) var<storage> s: S;
fn f(p: ptr<storage, S>) -> u32 { return arrayLength(&p.a) + p.n - p.a[1]; }

@compute @workgroup_size(1)
fn main() {
    b[0] = f(&s);
}
