//! grid 2
//! out b = u32[1024, 1024]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> count: atomic<u32>;

@compute @workgroup_size(32, 32)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    atomicAdd(&count, 1);
    workgroupBarrier(); // orders atomics
    if local == 1023 {
        b[group.x] = atomicLoad(&count);
    }
}
