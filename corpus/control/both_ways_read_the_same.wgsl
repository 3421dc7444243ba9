//! grid 2
//! in v = u32[10..82]
//! out v = u32[10, 11, 12, 13, 14, 15, 16, 17,
//!     26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
//!     50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73,
//!     74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89]
// What both ways of a branch read is what was read before it.
@group(0) @binding(0) var<storage, read_write> v: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let before = v[3];
    var x: u32;
    if (i * 7u) % 3u == 1u {
        x = v[3];
    } else {
        x = v[3];
    }
    v[i + 8u] = x + before + i;
}
