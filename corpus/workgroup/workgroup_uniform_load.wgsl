//! grid 3
//! in a = u32[3, 1, 4]
//! out b = u32[303 x 4, 101 x 4, 404 x 4]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> turns: u32;
var<workgroup> count: atomic<u32>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    if local == 2 {
        turns = a[group.x];
    }
    // A barrier before and after, and a value that is the same for all.
    let n = workgroupUniformLoad(&turns);
    for (var k = 0u; k < n; k++) {
        if local == 0 {
            atomicAdd(&count, 1);
        }
        workgroupBarrier(); // orders atomics
    }
    b[id.x] = 100 * n + atomicLoad(&count);
}
