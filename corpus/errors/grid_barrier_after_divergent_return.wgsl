@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 6 {
        return;
    }
    b[id.x] = id.x;
    gridBarrier(); //~ error[barrier-divergence]
    b[id.x] += b[5 - id.x];
}
