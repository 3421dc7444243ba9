//! grid 3
//! in n = u32[0]
//! out b = u32[1, 2, 3, 9, 101, 102, 103, 9, 201, 202, 203, 9]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<uniform> n: u32;
var<workgroup> tile: array<u32, 4>;

fn put(i: u32, x: u32) {
    tile[i] = x;
}

// Once `put` gets the index of the invocation, once another.
@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) i: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    tile[i] = group.x * 100 + i;
    gridBarrier(); // redundant
    for (var k = 0u; k < n; k++) {
        tile[i] = k;
        workgroupBarrier(); // redundant
        put(i, 5);
    }
    if i == 0 {
        put(0, 9);
    }
    workgroupBarrier();
    b[id.x] = tile[(i + 1) % 4];
}
