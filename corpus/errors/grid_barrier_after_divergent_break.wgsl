@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var r = 0u; r < 8; r++) {
        if r == id.x {
            break;
        }
        gridBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = 1;
}
