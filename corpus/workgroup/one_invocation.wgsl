//! grid 4
//! out b = u32[1, 2, 3, 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> n: u32;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    n = group.x;
    workgroupBarrier(); // redundant: it is alone
    n += 1;
    workgroupBarrier(); // redundant
    b[group.x] = n;
}
