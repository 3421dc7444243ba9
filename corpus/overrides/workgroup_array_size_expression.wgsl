//! set N = 3
//! grid 2
//! out b = u32[0, 1, 2, 2, 1, 0, 3, 4, 5, 5, 4, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override N = 1u;
var<workgroup> tile: array<u32, 2 * N>;

@compute @workgroup_size(N)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = id.x;
    tile[2 * N - 1 - local] = id.x;
    workgroupBarrier();
    b[2 * N * group.x + local] = tile[local];
    b[2 * N * group.x + N + local] = tile[N + local];
}
