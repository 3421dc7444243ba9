//! grid 4
//! out b = u32[91, 4294967205, 31, 3, 0, 31, 25, 87, 4294967209, 27, 2, 0, 31, 25, 115, 4294967181, 30, 5, 0,
//!     31, 9, 79, 4294967217, 29, 1, 0, 31, 9]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> a: array<atomic<u32>, 7>;

@compute @workgroup_size(6)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    if local == 5 {
        atomicStore(&a[3], 77);
        atomicStore(&a[4], 77);
    }
    workgroupBarrier(); // orders atomics
    let v = (id.x * 7 + 3) % 32;
    atomicAdd(&a[0], v);
    atomicSub(&a[1], v);
    atomicMax(&a[2], v);
    atomicMin(&a[3], v);
    atomicAnd(&a[4], v);
    atomicOr(&a[5], v);
    atomicXor(&a[6], v);
    workgroupBarrier(); // orders atomics
    if local == 0 {
        for (var k = 0u; k < 7; k++) {
            b[7 * group.x + k] = atomicLoad(&a[k]);
        }
    }
}
