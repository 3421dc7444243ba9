//! grid 2,2,2
//! out b = u32[1266, 1290, 1506, 1530, 4866, 4890, 5106, 5130]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<array<array<u32, 2>, 2>, 3>;

@compute @workgroup_size(2, 2, 3)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local.z][local.y][local.x] = id.x + 10 * id.y + 100 * id.z;
    workgroupBarrier();
    if all(local == vec3u(1, 1, 2)) {
        var sum = 0u;
        for (var k = 0; k < 12; k++) {
            sum += tile[k / 4][k / 2 % 2][k % 2];
        }
        b[group.x + 2 * (group.y + 2 * group.z)] = sum;
    }
}
