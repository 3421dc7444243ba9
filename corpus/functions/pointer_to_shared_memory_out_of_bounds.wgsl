//! ours
//! in a = u32[1, 2, 3, 4]
//! out b = u32[0, 7, 0, 7]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn fetch(p: ptr<storage, u32>) -> u32 { return *p; }
fn put(p: ptr<storage, u32, read_write>, n: u32) { *p = n; }

@compute @workgroup_size(1)
fn main() {
    var i = 4u;
    b[0] = fetch(&a[i]) + fetch(&a[i * 1000]);
    put(&b[i], 9);
    put(&b[1], 7);
    var k = -1;
    b[2] = fetch(&a[k]);
    put(&b[k], 9);
    put(&b[3], 7);
}
