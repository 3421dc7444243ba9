//! grid 2
//! in w = u32[5, 34, 63, 3, 32, 61, 1, 30, 59, 88, 28, 57, 86, 26, 55, 84, 24, 53, 82, 22, 51, 80, 20, 49,
//!     78, 18, 47, 76, 16, 45, 74, 14, 43, 72, 12, 41, 70, 10, 39, 68, 8, 37, 66, 6, 35, 64, 4, 33, 62, 2,
//!     31, 60, 0, 29, 58, 87, 27, 56, 85, 25, 54, 83, 23, 52]
//! out v = u32[671, 15252, 3087, 1634, 2143, 15994, 14945, 5766, 123608, 189648, 70034, 50644, 13917, 181452,
//!     114520, 120756, 13679, 8692, 9155, 12218, 15687, 9054, 5981, 9234, 358673, 328764, 222328, 98718,
//!     12785, 571248, 216196, 228062, 1541, 605, 1305, 1460, 2984, 15092, 3059, 2532, 125844, 137438, 96292,
//!     49836, 13159, 160392, 110044, 114322, 6317, 8455, 59653, 60364, 8914, 59420, 60119, 26864, 411999,
//!     453542, 142806, 125590, 12465, 504968, 271216, 333004]
// Invocations that differ in z alone load the same in the loop; in the branch behind it some of them go
// through a loop of their own, and leave it when they like.
@group(0) @binding(0) var<storage> w: array<u32, 64>;
@group(0) @binding(1) var<storage, read_write> v: array<u32, 64>;

var<workgroup> tile: array<array<u32, 8>, 4>;

@compute @workgroup_size(4, 2, 4)
fn main(
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let column = local.y * 4 + local.x;
    tile[local.z][column] = w[group.x * 32 + index] * (local.z + 1);
    workgroupBarrier();
    var s = index;
    var u = local.z;
    for (var k = 0u; k < 4; k++) {
        let element = tile[k][column];
        s = s * 5 + element * (local.z + k);
        u += element ^ s;
    }
    if local.z % 2 == 1 {
        var extra = 0u;
        for (var j = 0u; j < local.z * 3; j++) {
            if (column + j) % 5 == 4 { break; }
            extra += j * s + u;
        }
        s += extra;
    }
    v[group.x * 32 + index] = s ^ u;
}
