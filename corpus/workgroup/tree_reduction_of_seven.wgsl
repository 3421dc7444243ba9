//! grid 3
//! in a = u32[2, 13, 1, 12, 0, 11, 22, 10, 21, 9, 20, 8, 19, 7, 18, 6, 17, 5, 16, 4, 15]
//! out b = u32[61, 94, 81]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 7>;

@compute @workgroup_size(7)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = a[id.x];
    workgroupBarrier();
    var live = 7u;
    while live > 1 {
        let half = (live + 1) / 2;
        if local + half < live {
            tile[local] += tile[local + half];
        }
        live = half;
        workgroupBarrier();
    }
    if local == 0 {
        b[group.x] = tile[0];
    }
}
