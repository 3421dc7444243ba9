//! grid 3
//! out b = u32[45, 45, 95, 95, 145, 145]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> cell: u32;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    if local == 1 {
        cell = id.x / 2 * 5;
    }
    let mine = workgroupUniformLoad(&cell);
    b[id.x] = mine;
    gridBarrier();
    let all = b[0] + b[2] + b[4];
    if local == 0 {
        cell += 3;
    }
    gridBarrier();
    b[id.x] = workgroupUniformLoad(&cell) * 10 + all;
}
