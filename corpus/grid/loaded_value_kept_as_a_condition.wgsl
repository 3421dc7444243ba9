//! grid 4
//! in go = u32[0, 1]
//! out go = u32[5, 5]
//! out b = u32[3, 2, 1, 0]
//! finds race-same-value
@group(0) @binding(0) var<storage, read_write> go: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

// What it was is what decides, though it is something else by then.
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    let first = go[0];
    let second = go[1];
    b[group.x] = group.x;
    gridBarrier();
    go[group.x % 2] = 5;
    let x = b[3 - group.x];
    if first != 0 {
        gridBarrier(); // redundant
        b[group.x] = 99;
    }
    if second == 1 {
        gridBarrier();
        b[group.x] = x;
    }
}
