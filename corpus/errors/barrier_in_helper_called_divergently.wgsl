@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn share(local: u32) {
    tile[local] = local;
    workgroupBarrier(); //~ error[barrier-divergence]
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    if local < 2 {
        share(local);
    }
    b[id.x] = tile[0];
}
