@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// A barrier of the workgroup may stand here; one of the grid may not.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
    if group.x == 1 {
        storageBarrier();
        gridBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = 1;
}
