// The sum of all elements by a fixed number of workgroups: each invocation strides through
// the whole array, so that trees and atomic additions are few.

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;

const SIZE = 256u;
var<workgroup> partial: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    var sum = 0u;
    for (var i = id.x; i < params.n; i += groups.x * SIZE) {
        sum += x[i];
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
