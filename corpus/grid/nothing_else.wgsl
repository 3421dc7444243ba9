//! grid 3
//! in b = u32[1, 2, 3]
//! out b = u32[2, 3, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    gridBarrier(); // redundant
    gridBarrier(); // redundant
    {
        gridBarrier(); // redundant
    }
    b[group.x] += 1;
    {
        {}
        gridBarrier(); // redundant
    }
}
