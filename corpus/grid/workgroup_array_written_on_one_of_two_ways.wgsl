//! grid 3
//! out b = u32[17, 71, 37, 73, 1017, 171, 1037, 173, 2017, 271, 2037, 273]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[i] = group.x * 100 + i;
    gridBarrier(); // redundant
    if i % 2 == 0 {
        tile[i] = 7;
    }
    workgroupBarrier();
    b[id.x] = tile[(i + 1) % 4] * 10 + tile[i];
}
