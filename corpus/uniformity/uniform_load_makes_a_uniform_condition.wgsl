//! grid 2
//! out b = u32[77 x 4, 5, 6, 7, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    if local == 1 {
        tile[0] = group.x;
    }
    if workgroupUniformLoad(&tile[0]) == 1 {
        tile[local] = id.x;
        workgroupBarrier();
        b[id.x] = tile[(local + 1) % 4];
    } else {
        b[id.x] = 77;
    }
}
