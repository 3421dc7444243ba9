@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(4)
fn main() {
    atomicAdd(&count, 1);
    if atomicLoad(&count) > 4 {
        gridBarrier(); //~ error[barrier-divergence]
    }
}
