//! grid 2
//! out b = u32[2, 3, 0, 1, 6, 7, 4, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    var mine = id.x;
    for (var p = 1u; p <= 3; p++) {
        for (var q = 0u; q < p; q++) {
            tile[local] = mine;
            workgroupBarrier();
            mine = tile[(local + 1) % 4];
            workgroupBarrier();
        }
    }
    b[id.x] = mine;
}
