//! grid 2
//! in a = u32[1, 4, 7, 10, 13, 16, 19, 22, 2, 5, 8, 11, 14, 17, 20, 8, 11, 14, 17, 20, 0, 3, 6, 9, 12, 15,
//!     18, 21, 1, 4, 15, 18, 21, 1, 4, 7, 10, 13, 16, 19, 22, 2, 5, 8, 11, 22, 2, 5, 8, 11, 14, 17,
//!     20, 0, 3, 6, 9, 12, 15, 18, 6, 9, 12, 15, 18, 21, 1, 4, 7, 10, 13, 16, 19, 22, 2, 13, 16, 19,
//!     22, 2, 5, 8, 11, 14, 17, 20, 0, 3, 6, 9]
//! in b = u32[2, 13, 5, 16, 8, 7, 18, 10, 2, 13, 12, 4, 15, 7, 18, 17, 9, 1, 12, 4, 3, 14, 6, 17, 9, 8, 0,
//!     11, 3, 14, 13, 5, 16, 8, 0, 18, 10, 2, 13, 5, 4, 15, 7, 18, 10, 9, 1, 12, 4, 15, 14, 6, 17, 9,
//!     1, 0, 11, 3, 14, 6, 5, 16, 8, 0, 11, 10, 2, 13, 5, 16, 15, 7, 18, 10, 2]
//! out c = u32[136299249, 219677282, 155460066, 152239253, 206811766, 343873494, 886849297, 488840106,
//!     756066610, 690877379, 484597710, 1499585786, 817489644, 1291124381, 1153006903, 295154649,
//!     1458805059, 608108301, 1738929789, 946690578, 286334682, 695869481, 396427602, 583983026,
//!     557028925, 492701013, 1345275261, 724170825, 1166574897, 1029116943]
// Tiles of 3 by 5 and 5 by 5 go through workgroup memory; the order of the sum matters.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;

var<workgroup> tile_a: array<array<u32, 5>, 3>;
var<workgroup> tile_b: array<array<u32, 5>, 5>;

@compute @workgroup_size(5, 3)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) at: vec3u) {
    let row = group.x * 3u + at.y;
    var sum = 0u;
    for (var t = 0u; t < 15u; t += 5u) {
        tile_a[at.y][at.x] = a[row * 15u + t + at.x];
        for (var k = at.y; k < 5u; k += 3u) {
            tile_b[k][at.x] = b[(t + k) * 5u + at.x];
        }
        workgroupBarrier();
        for (var k = 0u; k < 5u; k++) {
            sum = sum * 3u + tile_a[at.y][k] * tile_b[k][at.x];
        }
        workgroupBarrier();
    }
    c[row * 5u + at.x] = sum;
}
