//! grid 5
//! out next = u32[35]
//! out seen = u32[1 x 35]
// Whatever the order, every ticket is drawn exactly once.
@group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<atomic<u32>>;

@compute @workgroup_size(7)
fn main() {
    let ticket = atomicAdd(&next, 1);
    atomicAdd(&seen[ticket], 1);
}
