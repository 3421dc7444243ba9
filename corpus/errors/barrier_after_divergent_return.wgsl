@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    if local == 3 {
        return;
    }
    workgroupBarrier(); //~ error[barrier-divergence]
    b[id.x] = 1;
}
