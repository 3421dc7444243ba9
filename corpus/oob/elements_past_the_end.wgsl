//! ours
//! in a = u32[635, 865, 995, 74, 317, 834, 232, 469, 76, 590, 702, 79, 288, 177, 888, 760, 907, 606, 76, 366,
//!     723, 254, 510, 499, 101, 130, 307, 206, 112, 418, 215, 773, 95, 17, 381, 901, 629, 62, 602, 71, 205,
//!     796, 80, 563, 800, 36, 692, 593, 22, 375, 710, 636]
//! in b = u32[64, 470, 774, 638, 718, 359, 457, 687, 327, 136, 327, 855, 55, 106, 728, 428, 817, 560, 420, 614,
//!     641, 694]
//! in at = u32[9, 4, 13, 2]
//! out b = u32[64, 470, 774, 638, 718, 359, 457, 687, 0, 50, 1, 51, 2, 52, 3, 53, 4, 54, 5, 55, 6, 56]
//! out c = u32[629, 63, 602, 150, 206, 797, 80, 642, 802, 37, 692, 672, 25, 376, 710, 715, 4, 1, 0, 79, 5, 1,
//!     0, 79, 6, 1, 0, 79, 7, 1, 0, 79, 8, 1, 0, 79, 9, 1, 0, 79, 10, 1, 0, 79, 11, 1, 0, 79, 12, 1, 0, 79, 13,
//!     1, 0, 79, 14, 1, 0, 79, 15, 1, 0, 79, 16, 1, 0, 79, 17, 1, 0, 79, 18, 1, 0, 79, 19, 1, 0, 79]
//! finds out-of-bounds
// Vectors of which some lanes' lie outside, all lanes' do, and one that all lanes share does.
@group(0) @binding(0) var<storage> a: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4u, 20>;
@group(0) @binding(3) var<storage> at: vec4u;

@compute @workgroup_size(20)
fn main(@builtin(local_invocation_index) i: u32) {
    let shared_ = a[at.z];
    c[i] = a[i + at.x] + vec4(shared_.x + i, shared_.y + 1, 0, a[at.w].w);
    b[i + at.y] = vec2(i, 50 + i);
}
