//! grid 2
//! out b = u32[0, 0, 0, 0, 0, 153, 91, 40, 0, 0, 138, 81, 35, 0, 0, 123, 71, 30, 0, 0, 108, 61, 25, 0, 0, 93, 51,
//!     20, 0, 0, 78, 41, 15, 0, 0, 63, 31, 10, 0, 0, 48, 21, 5, 0, 0, 33, 11, 0, 0, 0, 0, 0, 0, 453, 291,
//!     140, 0, 0, 438, 281, 135, 0, 0, 423, 271, 130, 0, 0, 408, 261, 125, 0, 0, 393, 251, 120, 0, 0, 378,
//!     241, 115, 0, 0, 363, 231, 110, 0, 0, 348, 221, 105, 0, 0, 333, 211, 100]
// Some lanes of a vector write, the others leave what is there; three values live across barriers.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 48>;

@compute @workgroup_size(48)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    for (var k = 0u; k < 3; k++) {
        if local % 5 < 3 - k && local + k < 45 {
            tile[local + k] += local + 10 * k + 100 * group.x;
        }
        workgroupBarrier();
    }
    b[group.x * 48 + local] = tile[47 - local];
}
