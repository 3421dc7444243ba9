//! grid 2
//! out b = u32[3, 0, 1, 2, 6, 7, 4, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    var mine = id.x;
    for (var k = 0u; ; k++) {
        if k == 3 - group.x {
            break;
        }
        tile[local] = mine;
        workgroupBarrier();
        mine = tile[(local + 1) % 4];
        workgroupBarrier();
    }
    b[id.x] = mine;
}
