//! grid 2
//! entry second
//! out b = u32[21, 20, 23, 22]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;
var<workgroup> other: array<f32, 1000>;

@compute @workgroup_size(4)
fn first(@builtin(local_invocation_index) local: u32) {
    other[local] = 1;
    b[local] = u32(other[local]);
}

@compute @workgroup_size(2)
fn second(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    tile[local] = id.x + 20;
    workgroupBarrier();
    b[id.x] = tile[1 - local];
}
