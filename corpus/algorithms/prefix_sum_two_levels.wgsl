//! grid 2
//! in a = u32[18, 69, 15, 73, 39, 71, 87, 23, 13, 74, 73, 81, 24, 47, 12, 70, 91, 8, 72, 7, 79, 26, 63, 87,
//!     68, 54, 99, 40, 59, 74, 58, 46, 38, 31, 23, 89, 99, 31, 10, 73, 38, 67, 63, 43, 93, 57, 36, 77, 9, 15,
//!     65, 53, 21, 96, 43, 19, 62, 53, 5, 85, 9, 97, 71, 73]
//! out b = u32[18, 87, 102, 175, 214, 285, 372, 395, 408, 482, 555, 636, 660, 707, 719, 789, 880, 888, 960,
//!     967, 1046, 1072, 1135, 1222, 1290, 1344, 1443, 1483, 1542, 1616, 1674, 1720, 38, 69, 92, 181, 280,
//!     311, 321, 394, 432, 499, 562, 605, 698, 755, 791, 868, 877, 892, 957, 1010, 1031, 1127, 1170, 1189,
//!     1251, 1304, 1309, 1394, 1403, 1500, 1571, 1644]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

// Sixteen invocations scan 32 numbers: each its own pair, four rows of four, then the rows.
var<workgroup> pairs: array<u32, 16>;
var<workgroup> rows: array<u32, 4>;

@compute @workgroup_size(16)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let at = 32 * group.x + 2 * local;
    let first = a[at];
    let both = first + a[at + 1];
    pairs[local] = both;
    workgroupBarrier();
    var before = 0u;
    for (var k = local / 4 * 4; k < local; k++) {
        before += pairs[k];
    }
    if local % 4 == 3 {
        rows[local / 4] = before + both;
    }
    workgroupBarrier();
    if local == 0 {
        for (var k = 1; k < 4; k++) {
            rows[k] += rows[k - 1];
        }
    }
    workgroupBarrier();
    if local >= 4 {
        before += rows[local / 4 - 1];
    }
    b[at] = before + first;
    b[at + 1] = before + both;
}
