@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(4)
fn main() {
    if atomicAdd(&count, 1) < 4 {
        gridBarrier(); //~ error[barrier-divergence]
    }
}
