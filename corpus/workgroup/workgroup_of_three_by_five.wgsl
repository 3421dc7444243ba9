//! grid 2,2
//! out b = u32[1530, 6030, 1605, 6105]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 15>;

@compute @workgroup_size(3, 5)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[local] = id.x * 100 + id.y;
    workgroupBarrier();
    if local == 14 {
        var sum = 0u;
        for (var k = 0; k < 15; k++) {
            sum += tile[k];
        }
        b[group.y * 2 + group.x] = sum;
    }
}
