//! grid 3
//! out b = u32[31, 32, 33, 31, 1031, 1132, 1133, 1031, 2031, 2232, 2233, 2031]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn first_two(i: u32) {
    if i >= 2 {
        return;
    }
    tile[i] = 1;
}

// The last two do not write, so that their elements are still there.
@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[i] = group.x * 100 + i;
    gridBarrier(); // redundant
    first_two(i);
    workgroupBarrier();
    b[id.x] = tile[3] * 10 + tile[(i + 1) % 4];
}
