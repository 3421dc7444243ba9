//! grid 3
//! out b = u32[10001, 20003, 30006, 10, 50005, 60011, 70018, 40026, 90009, 100019, 110030, 80042]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn fill(i: u32, x: u32) {
    tile[i] = x;
}

// Nothing of the tile is needed behind the barrier: all of it is written before it is read.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    fill(i, id.x * 10);
    workgroupBarrier();
    let other = tile[(i + 1) % 4];
    gridBarrier(); // redundant
    fill(i, id.x + 1);
    workgroupBarrier();
    var sum = 0u;
    for (var k = 0u; k <= i; k++) {
        sum += tile[k];
    }
    b[id.x] = other * 1000 + sum;
}
