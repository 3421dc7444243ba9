@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    // Uniform when the loop starts, not when it comes round again.
    var limit = 3u;
    for (var k = 0u; k < limit; k++) {
        workgroupBarrier(); //~ error[barrier-divergence]
        limit -= local;
    }
    b[id.x] = 1;
}
