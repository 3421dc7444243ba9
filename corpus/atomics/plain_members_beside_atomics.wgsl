//! grid 2
//! in s = u32[5, 0, 3]
//! out s = u32[5, 64, 3]
struct Counter {
    step: u32,
    count: atomic<u32>,
    more: u32,
}
@group(0) @binding(0) var<storage, read_write> s: Counter;

@compute @workgroup_size(4)
fn main() {
    atomicAdd(&s.count, s.step + s.more);
}
