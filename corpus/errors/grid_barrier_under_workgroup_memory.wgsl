@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> x: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    x = id.x;
    workgroupBarrier();
    if x == 1 {
        gridBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = 1;
}
