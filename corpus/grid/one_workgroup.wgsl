//! grid 1
//! out b = u32[7, 6, 5, 4, 3, 2, 1, 0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) local: u32) {
    b[local] = local;
    gridBarrier();
    let x = b[7 - local];
    gridBarrier();
    b[local] = x;
}
