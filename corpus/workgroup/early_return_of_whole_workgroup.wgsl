//! grid 4
//! out b = u32[3, 2, 1, 0, 7, 6, 5, 4, 0 x 4, 15, 14, 13, 12]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    if group.x == 2 {
        return;
    }
    tile[local] = id.x;
    workgroupBarrier();
    b[id.x] = tile[3 - local];
}
