// The sum of all elements: each invocation adds four, a tree adds those of a workgroup, and
// one atomic addition adds the tree's to the total.

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

const SIZE = 256u;
const EACH = 4u;
var<workgroup> partial: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        let i = (group.x * EACH + k) * SIZE + local;
        if i < params.n {
            sum += x[i];
        }
    }
    partial[local] = sum;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half >>= 1u) {
        if local < half {
            partial[local] += partial[local + half];
        }
        workgroupBarrier();
    }
    if local == 0u {
        atomicAdd(&total, partial[0]);
    }
}
