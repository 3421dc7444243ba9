@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn small(i: u32) -> bool {
    gridBarrier();
    return i < 6;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if small(id.x) {
        b[id.x] = 1;
        gridBarrier(); //~ error[barrier-divergence]
    }
}
