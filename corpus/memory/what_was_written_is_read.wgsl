//! threads 24
//! in a = u32[381, 504, 371, 268, 672, 702, 127, 270, 345, 386, 933, 991, 560, 315, 533, 533, 838, 456, 81,
//!     311, 133, 614, 569, 787]
//! out a = u32[500, 19, 21, 506, 21, 23, 508, 27, 25, 510, 29, 31, 512, 31, 33, 518, 33, 35, 520, 39, 37, 522,
//!     41, 43]
//! out b = u32[10, 17, 500, 500000, 11, 18, 18, 19018, 12, 19, 19, 21039, 13, 20, 503, 507512, 14, 21, 21,
//!     21000, 15, 22, 22, 23022, 16, 23, 506, 509013, 17, 24, 24, 27075, 18, 25, 25, 25000, 19, 26, 509,
//!     510509, 20, 27, 27, 29055, 21, 28, 28, 31087, 22, 29, 512, 512000, 23, 30, 30, 31030, 24, 31, 31, 33063,
//!     25, 32, 515, 519548, 26, 33, 33, 33000, 27, 34, 34, 35034, 28, 35, 518, 521037, 29, 36, 36, 39111, 30,
//!     37, 37, 37000, 31, 38, 521, 522521, 32, 39, 39, 41079, 33, 40, 40, 43123]
// One word, written through another index for the same place, by some lanes, and in turns of a loop:
// each time the latest is read.
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4u>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let same = i * 3 - 2 * i;
    a[i] = 10 + i;
    let x = a[i];
    a[same] = a[same] + 7;
    let y = a[i];
    if i % 3 == 0 {
        a[i] = 500 + i;
    }
    let z = a[i];
    var sum = 0u;
    for (var t = 0u; t < i % 4; t++) {
        sum += a[i];
        a[i] = a[i] + 1;
    }
    b[i] = vec4(x, y, z, sum + 1000 * a[i]);
}
