//! entry plain
//! grid 3
//! out b = u32[1, 2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn meets(@builtin(workgroup_id) group: vec3u) {
    gridBarrier(); // redundant
    b[group.x] = 9;
}

@compute @workgroup_size(1)
fn plain(@builtin(workgroup_id) group: vec3u) {
    b[group.x] = group.x + 1;
}
