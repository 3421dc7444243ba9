// seawall run examples/histogram.wgsl --in x=random:100000 --threads 100000
//
// How many numbers from 0 to 1 lie in each of sixteen parts. A workgroup counts by itself first.

const PARTS = 16u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, PARTS>;

var<workgroup> local_counts: array<atomic<u32>, PARTS>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    if id.x < arrayLength(&x) {
        atomicAdd(&local_counts[min(u32(x[id.x] * f32(PARTS)), PARTS - 1u)], 1u);
    }
    workgroupBarrier();
    if local < PARTS {
        atomicAdd(&counts[local], atomicLoad(&local_counts[local]));
    }
}
