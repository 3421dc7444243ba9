//! grid 2
//! set STEP = 3
//! out b = u32[3, 0, 1, 2, 7, 4, 5, 6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override STEP = 1u;
const LIMIT = 5;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    tile[local] = id.x;
    if STEP == 3 && LIMIT > 2 {
        workgroupBarrier();
    }
    b[id.x] = tile[(local + STEP) % 4];
}
