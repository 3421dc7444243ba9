@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    // Another invocation may have come as far as the store.
    gridBarrier();
    if b[0] == 0 {
        gridBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = id.x;
}
