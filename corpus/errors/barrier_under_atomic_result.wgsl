@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    if atomicAdd(&count, 1) == 3 {
        workgroupBarrier(); //~ error[barrier-divergence]
    }
    b[id.x] = 1;
}
