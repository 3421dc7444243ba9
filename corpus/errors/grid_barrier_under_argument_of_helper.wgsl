@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn meet(go: bool) {
    if go {
        gridBarrier(); //~ error[barrier-divergence]
    }
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    meet(true);
    b[id.x] = 1;
    meet(id.x < 6);
}
