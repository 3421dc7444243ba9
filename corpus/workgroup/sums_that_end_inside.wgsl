//! ours
//! grid 5
//! in n = u32[1000]
//! in x = u32[5..6305 by 7]
//! out sums = u32[725824, 1872704, 3019584, 1215110, 0]
//! finds out-of-bounds
// Each invocation adds four numbers, as far as there are any; a tree adds those of a workgroup.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
var<workgroup> partial: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    var sum = 0u;
    for (var k = 0u; k < 4u; k++) {
        let i = (group.x * 4u + k) * 64u + local;
        if i < n {
            sum += x[i] * (k + 1u) + local;
        }
    }
    partial[local] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0u; half >>= 1u) {
        if local < half {
            partial[local] += partial[local + half];
        }
        workgroupBarrier();
    }
    if local == 0u {
        sums[group.x] = partial[0];
    }
}
