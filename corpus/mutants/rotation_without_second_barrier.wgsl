//! racy
//! grid 2
//! out b = u32[2, 3, 4, 0, 1, 12, 13, 14, 10, 11]
//! finds race
// `workgroup/rotate_many_times`, where a neighbour may be overtaken.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// Everyone hands its value to its neighbour, seven times: two barriers for each.
var<workgroup> ring: array<u32, 5>;

@compute @workgroup_size(5)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    var mine = 10 * group.x + local;
    for (var turn = 0; turn < 7; turn++) {
        ring[local] = mine;
        workgroupBarrier();
        mine = ring[(local + 1) % 5];
    }
    b[id.x] = mine;
}
