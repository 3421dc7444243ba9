//! racy
//! grid 2
//! in s = u32[5, 0, 3]
//! out s = u32[5, 64, 3]
//! finds race
// `atomics/plain_members_beside_atomics`, where updates may get lost.
struct Counter {
    step: u32,
    count: u32,
    more: u32,
}
@group(0) @binding(0) var<storage, read_write> s: Counter;

@compute @workgroup_size(4)
fn main() {
    s.count += s.step + s.more;
}
