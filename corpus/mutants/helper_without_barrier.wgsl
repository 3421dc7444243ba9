//! racy
//! grid 3
//! in a = u32[0..18]
//! out b = u32[30 x 6, 102 x 6, 174 x 6]
//! finds race
// `workgroup/barrier_in_helper`, without the barrier after reading.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 6>;

fn share(local: u32, value: u32) {
    tile[local] = value;
    workgroupBarrier();
}

fn total(local: u32, value: u32) -> u32 {
    share(local, value);
    var sum = 0u;
    for (var k = 0u; k < 6; k++) {
        sum += tile[k];
    }
    return sum;
}

@compute @workgroup_size(6)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let once = total(local, a[id.x]);
    b[id.x] = once + total(5 - local, a[id.x]);
}
