//! grid 2
//! out b = u32[1001, 2003, 3009, 4011, 1017, 2019, 3025, 4027]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;
var<private> kept: u32;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    var items: array<u32, 4>;
    items[local] = id.x * 3;
    kept = local + 1;
    tile[local] = id.x;
    let before = items[local];
    workgroupBarrier();
    b[id.x] = before + tile[local ^ 1] + kept * 1000 + (items[local] - before);
}
