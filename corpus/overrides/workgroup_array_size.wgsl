//! set N = 4
//! grid 3
//! out b = u32[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override N = 64u;
var<workgroup> tile: array<u32, N>;

@compute @workgroup_size(N)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    tile[local] = id.x;
    workgroupBarrier();
    b[id.x] = tile[N - 1 - local];
}
