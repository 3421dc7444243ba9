@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn put(i: u32) {
    b[i] = i;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    gridBarrier();
    let go = b[0] == 0;
    put(id.x);
    if go {
        gridBarrier(); //~ error[barrier-divergence]
    }
}
