//! grid 70000
//! seeds 1
//! out count = u32[70000]
//! out last = u32[69999]
// More workgroups in one dimension than a WebGPU dispatch takes.
@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> last: atomic<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    if groups.x == 70000 && groups.y == 1 {
        atomicAdd(&count, 1);
        atomicMax(&last, id.x);
    }
}
