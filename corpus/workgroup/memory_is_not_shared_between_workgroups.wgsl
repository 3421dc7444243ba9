//! grid 8
//! out b = u32[4 x 8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> count: atomic<u32>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    atomicAdd(&count, 1);
    workgroupBarrier(); // orders atomics
    if local == 0 {
        b[group.x] = atomicLoad(&count);
    }
}
