//! grid 4
//! in p = u32[1]
//! out b = u32[1, 2, 3, 0, 104, 105, 106, 107, 9, 10, 11, 8, 112, 113, 114, 115]
@group(0) @binding(0) var<uniform> p: u32;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = id.x;
    if group.x % 2 == 0 {
        if p == 1 {
            workgroupBarrier();
        }
        b[id.x] = tile[(local + 1) % 4];
    } else {
        b[id.x] = tile[local] + 100;
    }
}
