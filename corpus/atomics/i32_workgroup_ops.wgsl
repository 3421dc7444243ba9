//! grid 4
//! out b = i32[0, 6, -6, 0, -2, 5, -5, 2, -4, 4, -6, 4, 7, 6, -5, -7]
@group(0) @binding(0) var<storage, read_write> b: array<i32>;
var<workgroup> sum: atomic<i32>;
var<workgroup> most: atomic<i32>;
var<workgroup> least: atomic<i32>;
var<workgroup> difference: atomic<i32>;

@compute @workgroup_size(6)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let v = i32(id.x * 5 % 13) - 6;
    atomicAdd(&sum, v);
    atomicMax(&most, v);
    atomicMin(&least, v);
    atomicSub(&difference, v);
    workgroupBarrier(); // orders atomics
    if local == 3 {
        b[4 * group.x] = atomicLoad(&sum);
        b[4 * group.x + 1] = atomicLoad(&most);
        b[4 * group.x + 2] = atomicLoad(&least);
        b[4 * group.x + 3] = atomicLoad(&difference);
    }
}
