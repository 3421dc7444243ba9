// How often each low byte occurs: counted in workgroup memory by a fixed number of
// workgroups, and then added up.

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>, 256>;

var<workgroup> counts: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    atomicStore(&counts[local], 0u);
    workgroupBarrier();
    for (var i = id.x; i < params.n; i += groups.x * 256u) {
        atomicAdd(&counts[keys[i] & 255u], 1u);
    }
    workgroupBarrier();
    atomicAdd(&bins[local], atomicLoad(&counts[local]));
}
