//! ours
//! in a = u32[451, 563, 497, 435, 457, 403, 325, 948, 435, 62, 189, 475, 985, 617, 671, 201, 559, 175, 238,
//!     216, 603, 401]
//! in by = u32[3]
//! out a = u32[451, 563, 497, 435, 457, 403, 100, 949, 101, 63, 102, 476, 103, 618, 104, 202, 105, 176, 106,
//!     217, 107, 402]
//! out b = u32[100, 949, 101, 63, 102, 476, 103, 618, 104, 202, 105, 176, 106, 217, 107, 402, 0, 0, 0, 0, 0, 0,
//!     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
//! finds out-of-bounds
// A write outside is dropped: who reads the same place again gets zero, as others do.
@group(0) @binding(0) var<storage, read_write> a: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2u, 20>;
@group(0) @binding(2) var<storage> by: u32;

@compute @workgroup_size(20)
fn main(@builtin(local_invocation_index) i: u32) {
    let at = i + by;
    a[at].x = 100 + i;
    a[at].y += 1;
    b[i] = a[at];
}
