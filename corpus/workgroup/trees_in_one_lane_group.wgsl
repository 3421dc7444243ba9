//! grid 5
//! in n = u32[71]
//! in a = u32[1..193 by 3]
//! out ends = u32[3936, 1200, 71808, 7968, 22368, 5808, 219264, 26400, 40800, 10416, 366720, 44832, 59232, 15024, 514176, 63264, 0, 0, 0, 0]
//! finds out-of-bounds
// The same where a workgroup is one lane group, of which each level of a tree takes a part.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> ends: array<vec4u>;

const SIZE = 8u;
var<workgroup> up: array<u32, SIZE>;
var<workgroup> down: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    var sum = 0u;
    for (var k = 0u; k < 2u; k++) {
        let i = (group.x * 2u + k) * SIZE + local;
        if i < n {
            sum = sum * 5u + a[i];
        }
    }
    up[local] = sum;
    down[local] = sum;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half >>= 1u) {
        if local >= SIZE - half {
            down[local] = down[local] * 7u + down[local - half];
        }
        if local < half {
            up[local] = up[local] * 3u + up[local + half];
        }
        workgroupBarrier();
    }
    if local == 0u {
        ends[group.x] = vec4u(up[0], up[1], down[SIZE - 1u], down[SIZE - 2u]);
    }
}
