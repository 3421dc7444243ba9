//! grid 2
//! in p = u32[3]
//! out b = u32[3, 0, 1, 2, 7, 4, 5, 6]
@group(0) @binding(0) var<uniform> p: u32;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    var mine = id.x;
    var turn = 0u;
    loop {
        if turn == p {
            break;
        }
        tile[local] = mine;
        workgroupBarrier();
        mine = tile[(local + 1) % 4];
        workgroupBarrier();
        continuing {
            turn++;
        }
    }
    b[id.x] = mine;
}
