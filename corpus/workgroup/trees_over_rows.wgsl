//! grid 4
//! in n = u32[1900]
//! in a = u32[1..5551 by 3]
//! out ends = u32[485081088, 122707968, 2555379712, 212074496, 115982336, 1104175104, 2555379712, 2896429056, 4041850880, 2085642240, 2555379712, 1285816320, 2373273165, 593597532, 2230794011, 2954804591]
//! finds out-of-bounds
// Trees from both ends over a few rows of each workgroup; the last is cut off twice, by a number and by the
// end of the buffer. Levels are whole lane groups at first, then a part of one.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> ends: array<vec4u>;

const SIZE = 128u;
var<workgroup> up: array<u32, SIZE>;
var<workgroup> down: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    var sum = 0u;
    for (var k = 0u; k < 4u; k++) {
        let i = (group.x * 4u + k) * SIZE + local;
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
