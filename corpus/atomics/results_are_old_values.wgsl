//! in a = u32[10, 10, 10, 10, 10, 10, 10, 10]
//! out a = u32[13, 7, 12, 7, 2, 15, 15, 99]
//! out b = u32[10, 10, 10, 10, 10, 10, 10, 10]
@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>, 8>;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 8>;

@compute @workgroup_size(1)
fn main() {
    b[0] = atomicAdd(&a[0], 3);
    b[1] = atomicSub(&a[1], 3);
    b[2] = atomicMax(&a[2], 12);
    b[3] = atomicMin(&a[3], 7);
    b[4] = atomicAnd(&a[4], 6);
    b[5] = atomicOr(&a[5], 5);
    b[6] = atomicXor(&a[6], 5);
    b[7] = atomicExchange(&a[7], 99);
}
