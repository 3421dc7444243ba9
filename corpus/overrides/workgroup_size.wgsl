//! set WIDTH = 3
//! grid 2,2
//! out b = u32[6, 1, 6, 1, 6, 1, 6, 1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override WIDTH = 8u;
override HEIGHT = WIDTH - 1;
var<workgroup> count: atomic<u32>;

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(
    @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    atomicAdd(&count, 1);
    workgroupBarrier(); // orders atomics
    if local.x == WIDTH - 1 && local.y == HEIGHT - 1 {
        let at = 2 * (group.x + groups.x * group.y);
        b[at] = atomicLoad(&count);
        b[at + 1] = HEIGHT - 1;
    }
}
