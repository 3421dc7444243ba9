//! grid 3,0,2
//! in b = u32[1, 2, 3]
//! out b = u32[1, 2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> w: array<u32, 4>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) local: u32) {
    w[local] = local;
    let x = b[local];
    gridBarrier(); // redundant
    b[0] = w[1 - local] + x;
}
