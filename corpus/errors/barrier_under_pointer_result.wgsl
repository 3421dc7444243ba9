@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

fn mark(flag: ptr<function, bool>, x: u32) {
    *flag = x > 1;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    var flag = false;
    mark(&flag, local);
    if flag {
        workgroupBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = 1;
}
