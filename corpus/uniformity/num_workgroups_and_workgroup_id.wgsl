//! grid 2
//! out b = u32[1, 2, 3, 0, 5, 6, 7, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    tile[local] = id.x;
    if groups.x == 2 && group.x < groups.x {
        workgroupBarrier();
    }
    b[id.x] = tile[(local + 1) % 4];
}
