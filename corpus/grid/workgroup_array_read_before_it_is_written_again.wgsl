//! grid 3
//! out b = u32[1003, 2004, 3001, 2, 101004, 102005, 103002, 100003, 201005, 202006, 203003, 200004]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn next(i: u32) -> u32 {
    workgroupBarrier();
    let x = tile[(i + 1) % 4];
    workgroupBarrier();
    return x;
}

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[i] = group.x * 100 + i;
    gridBarrier(); // redundant
    let old = next(i);
    tile[i] = group.x + 1 + i;
    b[id.x] = old * 1000 + next((i + 1) % 4);
}
