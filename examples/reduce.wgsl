// seawall run examples/reduce.wgsl --in x=iota:10000 --threads 10000
//
// The sum of all elements: a tree in each workgroup, then one atomic addition for each tree.

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: atomic<u32>;

const SIZE = 128u;
var<workgroup> partial: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    if id.x < arrayLength(&x) {
        partial[local] = x[id.x];
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        // Every partial sum of the last round is written before this round reads it.
        workgroupBarrier();
        if local < half {
            partial[local] += partial[local + half];
        }
    }
    if local == 0u {
        atomicAdd(&total, partial[0]);
    }
}
