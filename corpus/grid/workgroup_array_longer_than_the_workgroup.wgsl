//! grid 3
//! out b = u32[4007, 5007, 6007, 7007, 104008, 105008, 106008, 107008, 204009, 205009, 206009, 207009]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 8>;

// The second half stays what it was.
@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[i] = group.x * 100 + i;
    tile[i + 4] = group.x * 100 + i + 4;
    gridBarrier(); // redundant
    tile[i] = group.x + 7;
    workgroupBarrier();
    b[id.x] = tile[i + 4] * 1000 + tile[(i + 1) % 4];
}
