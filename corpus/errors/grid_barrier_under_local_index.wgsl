@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    switch local {
        case 0: {
            gridBarrier(); //~ error[barrier-divergence]
        }
        default: {
            gridBarrier(); //~ error[barrier-divergence]
        }
    }
    b[id.x] = 1;
}
