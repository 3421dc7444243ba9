//! set turns = 3
//! set width = 3
//! grid 4
//! out b = u32[7, 15, 23, 31, 39, 47, 55, 63, 71, 79, 87, 95]
override turns: u32;
override width: u32 = 2;
override second: bool = false;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, width>;

@compute @workgroup_size(width)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    tile[local] = id.x;
    for (var r = 0u; r < turns; r++) {
        gridBarrier(); // redundant
        tile[local] = tile[local] * 2 + 1;
    }
    if second {
        gridBarrier(); // redundant
        tile[local] = 0;
    }
    b[id.x] = tile[local];
}
