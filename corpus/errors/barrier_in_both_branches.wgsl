@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    // The same number of barriers on both sides is still not the same barrier.
    if local < 2 {
        workgroupBarrier(); //~ error[barrier-divergence]
    } else {
        workgroupBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = 1;
}
