//! grid 3
//! out b = u32[31, 22, 11, 2, 71, 62, 51, 42, 111, 102, 91, 82]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// The paths meet again before the barrier.
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    if local % 2 == 1 {
        tile[local] = id.x * 10 + 1;
    } else {
        for (var k = 0u; k <= local; k++) {
            tile[local] = id.x * 10 + 2;
        }
    }
    workgroupBarrier();
    b[id.x] = tile[3 - local];
}
