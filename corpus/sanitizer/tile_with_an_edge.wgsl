//! ours
//! grid 2
//! in a = u32[1..9]
//! out b = u32[3, 5, 7, 4, 11, 13, 15, 8]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    tile[i] = a[id.x];
    workgroupBarrier();
    var sum = tile[i];
    if i < 3 {
        sum += tile[i + 1];
    }
    b[id.x] = sum;
}
