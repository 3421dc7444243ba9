//! grid 3
//! in x = u32[1..41]
//! out y = u32[33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33,
//!     33, 33, 33, 33, 33, 33, 33, 33, 34, 35, 36, 37, 38, 39, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//!     40, 39, 38, 37, 36, 35, 34, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
//!     0, 0, 0, 0, 0, 0]
// A workgroup of one lane group reads its row before and after a barrier: one place, known before either read
// is found to be inside, and each has to be.
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
var<workgroup> tile: array<u32, 32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) k: u32) {
    if id.x < arrayLength(&x) {
        tile[k] = x[id.x];
    }
    workgroupBarrier();
    var sum = tile[31 - k];
    if id.x < arrayLength(&x) {
        sum += x[id.x];
    }
    y[id.x] = sum;
}
