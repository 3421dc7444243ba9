@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
    gridBarrier();
    let go = b[group.x] == 0;
    gridBarrier();
    if go {
        gridBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = id.x;
}
