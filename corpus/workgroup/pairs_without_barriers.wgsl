//! grid 3
//! in bound = u32[5, 0, 8]
//! in w = u32[9, 50, 12, 53, 15, 56, 18, 59, 21, 62, 24, 65, 27, 68, 30, 71, 33, 74, 36, 77, 39, 1, 42, 4,
//!     45, 7, 48, 10, 51, 13, 54, 16, 57, 19, 60, 22, 63, 25, 66, 28, 69, 31, 72, 34, 75, 37, 78, 40, 2, 43,
//!     5, 46, 8, 49, 11, 52, 14, 55, 17, 58, 20, 61, 23, 64]
//! out v = u32[53729, 41987, 59900, 48158, 31071, 53776, 37242, 59947, 43413, 17118, 49584, 23289, 55755,
//!     29460, 61926, 35631, 50072, 60330, 59243, 51501, 57414, 49119, 55585, 58290, 25756, 35461, 34927,
//!     44632, 44098, 53803, 53269, 62974, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1,
//!     1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 58105, 59952, 65305, 67152, 37505, 70481, 44705, 77681, 51905, 70881,
//!     59105, 78081, 66305, 50281, 73505, 57481, 56506, 80353, 66706, 72553, 65906, 67882, 65106, 78082,
//!     54306, 67282, 64506, 77482, 74706, 76682, 66906, 86882]
// Two values go from turn to turn; how many turns there are depends on the workgroup.
@group(0) @binding(0) var<storage> bound: array<u32, 3>;
@group(0) @binding(1) var<storage> w: array<u32, 64>;
@group(0) @binding(2) var<storage, read_write> v: array<u32, 96>;

@compute @workgroup_size(16, 2)
fn main(
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    var s = local.y;
    var most = 0u;
    for (var k = 0u; k < 4; k++) {
        if k * 2 >= bound[group.x] { break; }
        let element = w[k * 16 + local.x];
        s = s * 7 + element;
        most = max(most, element * (local.y + 2) % 61);
    }
    v[group.x * 32 + index] = s + most * 1000;
}
