//! grid 5
//! out lock = u32[7]
//! out winners = u32[1]
//! out old = u32[133]
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> winners: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> old: atomic<u32>;

// One finds 0 and puts 7 there; nineteen find 7.
@compute @workgroup_size(4)
fn main() {
    var was = atomicCompareExchangeWeak(&lock, 0, 7);
    while was.old_value == 0 && !was.exchanged {
        was = atomicCompareExchangeWeak(&lock, 0, 7);
    }
    gridBarrier(); // redundant
    if was.exchanged {
        atomicAdd(&winners, 1);
    }
    atomicAdd(&old, was.old_value);
}
