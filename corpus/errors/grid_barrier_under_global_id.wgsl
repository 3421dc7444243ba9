@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 8 {
        b[id.x] = 1;
        gridBarrier(); //~ error[barrier-divergence]
    }
}
