//! ours
//! grid 9
//! in sums = u32[1 x 4]
//! out sums = u32[3961, 4006, 4051, 4096]
//! out done = u32[9]
//! out seen = u32[3961, 4006, 4051, 4096]
// What is counted is read by the workgroup that finishes last, so that it must be there by then.
@group(0) @binding(0) var<storage, read_write> sums: array<atomic<u32>, 4>;
@group(0) @binding(1) var<storage, read_write> done: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> seen: array<u32, 4>;

@compute @workgroup_size(20)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    atomicAdd(&sums[id.x % 4], id.x);
    workgroupBarrier(); // orders atomics
    if local == 0 && atomicAdd(&done, 1u) == 8 {
        for (var k = 0u; k < 4; k++) {
            seen[k] = atomicLoad(&sums[k]);
        }
    }
}
