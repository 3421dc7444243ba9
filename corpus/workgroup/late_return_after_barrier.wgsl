//! grid 3
//! out b = u32[0, 2, 0, 0, 0, 6, 0, 4, 0, 10, 0, 8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// Some leave after the last barrier; the others go on.
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = id.x;
    workgroupBarrier();
    if local % 2 == 0 {
        return;
    }
    b[id.x] = tile[3 - local];
}
