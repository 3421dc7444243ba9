//! grid 2
//! in rounds = u32[3]
//! out b = u32[8, 8, 8, 8, 8, 8, 8, 8]
var<immediate> rounds: u32;
var<workgroup> tile: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// The same for all: barriers may stand under it. Each round doubles what all have.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    tile[i] = 1;
    for (var k = 0u; k < rounds; k++) {
        workgroupBarrier();
        let other = tile[(i + 1) % 4];
        workgroupBarrier();
        tile[i] += other;
    }
    b[id.x] = tile[i];
}
