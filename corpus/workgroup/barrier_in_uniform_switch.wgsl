//! grid 3
//! out b = u32[1, 2, 3, 0, 6, 7, 4, 5, 11, 8, 9, 10]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = id.x;
    switch group.x {
        case 0: {
            workgroupBarrier();
            b[id.x] = tile[(local + 1) % 4];
        }
        case 1: {
            workgroupBarrier();
            b[id.x] = tile[(local + 2) % 4];
        }
        default: {
            workgroupBarrier();
            b[id.x] = tile[(local + 3) % 4];
        }
    }
}
