//! grid 2
//! out b = u32[2, 2, 2, 1, 2, 2, 2, 1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    var sum = 0u;
    for (var k = 0u; k <= local; k++) {
        if k == 2 {
            break;
        }
        sum += 1;
    }
    tile[local] = sum;
    workgroupBarrier();
    b[id.x] = tile[3 - local];
}
