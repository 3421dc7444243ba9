@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn meet(i: u32) {
    b[i] = i;
    gridBarrier(); //~ error[barrier-divergence]
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 6 {
        meet(id.x);
    }
}
