//! grid 4
//! out b = u32[0, 1, 2, 3, 10, 11, 12, 13]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> cell: u32;
var<workgroup> untouched: array<u32, 3>;

@compute @workgroup_size(2)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    if local == 1 {
        b[group.x] = cell;
        cell = group.x;
    }
    gridBarrier(); // redundant
    if local == 0 {
        b[group.x] += cell + untouched[group.x % 3];
        untouched[2] = 10;
    }
    gridBarrier(); // redundant
    if local == 1 {
        b[4 + group.x] = cell + untouched[2] + untouched[0];
    }
}
