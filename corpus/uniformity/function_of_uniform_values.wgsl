//! grid 2
//! out b = u32[2, 3, 0, 1, 6, 7, 4, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn twice(x: u32) -> u32 {
    var r = x;
    r += x;
    return r;
}

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    tile[local] = id.x;
    if twice(group.x) < 4 {
        workgroupBarrier();
    }
    b[id.x] = tile[(local + twice(1)) % 4];
}
