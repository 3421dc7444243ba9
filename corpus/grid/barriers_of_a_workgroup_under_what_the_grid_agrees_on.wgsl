//! grid 3
//! out p = u32[4]
//! out b = u32[3, 2, 1, 0, 13, 12, 11, 10, 23, 22, 21, 20]
//! finds race-same-value
@group(0) @binding(0) var<storage, read_write> p: u32;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn meet() {
    gridBarrier();
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    p = 4;
    meet();
    let all = p;
    meet();
    p = 4;
    if all == 4 {
        tile[local] = local;
        workgroupBarrier();
        b[id.x] = tile[3 - local] + 10 * (id.x / 4);
    }
}
