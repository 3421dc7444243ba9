//! grid 3
//! out b = u32[3, 3, 6, 6, 9, 9]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn one(x: u32) -> u32 {
    var fresh: u32;
    var list = array<u32, 2>(0, 1);
    fresh += list[1];
    list[1] = 7;
    gridBarrier(); // redundant
    return fresh + x;
}

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
    var sum = 0u;
    for (var r = 0; r < 3; r++) {
        sum += one(group.x);
    }
    b[id.x] = sum;
}
