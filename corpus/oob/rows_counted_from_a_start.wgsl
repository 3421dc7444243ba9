//! grid 10
//! in a = u32[1, 8, 15, 22, 29, 36, 43, 50, 57, 64, 71, 78, 85, 92, 99, 106, 113, 120, 127, 134, 141, 148,
//!     155, 162, 169, 176, 183, 190, 197, 204, 211, 218, 225, 232, 239, 246, 253, 260, 267, 274, 281, 288,
//!     295, 302, 309, 316, 323, 330, 337, 344, 351, 358, 365, 372, 379, 386, 393, 400, 407, 414, 421, 428,
//!     435, 442, 449, 456, 463, 470, 477, 484, 491, 498, 505, 512, 519, 526, 533, 540, 547, 554, 561, 568,
//!     575, 582, 589, 596, 603, 610, 617, 624, 631, 638, 645, 652, 659, 666, 673, 680, 687, 694]
//! in starts = u32[0, 1, 5, 9, 10, 1073741930, 2147483647, 4294967295, 858993460, 2147483648]
//! in widths = u32[10, 0, 10, 10, 12, 4, 2, 3, 5, 2]
//! out b = u32[733123519, 1, 952950494, 3957785465, 3603490904, 4617605, 5766, 208537, 256930723, 8688]
//! finds out-of-bounds
// Rows that are counted from their start: inside the buffer, across its end, behind it, and where the start or the sum
// wraps.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage> starts: array<u32>;
@group(0) @binding(2) var<storage> widths: array<u32>;
@group(0) @binding(3) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let row = starts[id.x];
    let width = widths[id.x];
    var sum = id.x;
    for (var k = 0u; k < width; k++) {
        sum = sum * 31u + a[row * width + k];
        sum ^= a[k + (row - 2u)];
    }
    b[id.x] = sum;
}
