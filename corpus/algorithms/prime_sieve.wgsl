//! grid 1
//! out b = u32[0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0 x 5, 1, 0, 1, 0 x 5,
//!     1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0 x 5, 1, 0 x 5, 1, 0, 1, 0, 0]
//! out count = u32[18]
// One workgroup, one prime at a time.
@group(0) @binding(0) var<storage, read_write> b: array<u32, 64>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
var<workgroup> composite: array<atomic<u32>, 64>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) local: u32) {
    for (var p = 2u; p * p < 64; p++) {
        for (var k = p * (p + local); k < 64; k += 16 * p) {
            atomicStore(&composite[k], 1);
        }
        workgroupBarrier(); // orders atomics
    }
    for (var k = local; k < 64; k += 16) {
        let prime = k > 1 && atomicLoad(&composite[k]) == 0;
        b[k] = u32(prime);
        atomicAdd(&count, u32(prime));
    }
}
