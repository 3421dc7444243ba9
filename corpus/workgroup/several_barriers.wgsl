//! grid 2
//! out b = u32[11, 9, 7, 5, 3, 1, 23, 21, 19, 17, 15, 13]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> first: array<u32, 6>;
var<workgroup> second: array<u32, 6>;

@compute @workgroup_size(6)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    first[local] = id.x;
    workgroupBarrier();
    second[(local + 1) % 6] = first[5 - local] * 2;
    workgroupBarrier(); // redundant: two in a row are one
    workgroupBarrier(); // redundant
    first[local] = second[local] + 1;
    workgroupBarrier();
    b[id.x] = first[(local + 1) % 6];
}
