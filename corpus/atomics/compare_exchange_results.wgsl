//! in a = u32[5, 5]
//! in c = i32[-5]
//! out a = u32[_, 5]
//! out c = i32[_]
//! out b = u32[5, 1, 5, 0, 1]
// A weak exchange may fail without a reason, but it may not succeed without one.
@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>, 2>;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 5>;
@group(0) @binding(2) var<storage, read_write> c: atomic<i32>;

@compute @workgroup_size(1)
fn main() {
    let right = atomicCompareExchangeWeak(&a[0], 5, 9);
    b[0] = right.old_value;
    b[1] = u32(right.exchanged == (atomicLoad(&a[0]) == 9));
    let wrong = atomicCompareExchangeWeak(&a[1], 6, 9);
    b[2] = wrong.old_value;
    b[3] = u32(wrong.exchanged);
    let negative = atomicCompareExchangeWeak(&c, -5, 7);
    b[4] = u32(negative.old_value == -5);
}
