//! grid 2
//! in a = u32[1..1843 by 3]
//! in b = u32[0..2630]
//! out sums = u32[8965, 9395, 9825, 10255, 10685, 11115, 11545, 11975, 12405, 12835, 13265, 13695, 14125, 14555,
//!     14985, 15415, 15845, 16275, 16705, 17135, 14913, 15300, 15687, 16074, 16461, 16848, 17235, 17622,
//!     18009, 18396, 18783, 19170, 19557, 19944, 20331, 20718, 21105, 21492, 21879, 22266, 22653, 23040,
//!     23427, 23814, 24201, 24588, 24975, 25362, 25749, 26136, 26523, 26910, 27297, 27684, 28071, 28458,
//!     28845, 29232, 29619, 30006, 30393, 30780, 31167, 31554, 31941, 32328]
// 33 invocations do not fill their last lane group. Its other lanes go on along `b` too, and would
// read far past its end where the last invocation is still inside.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(33)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    var j = id.x * 40u;
    for (var i = id.x; i < arrayLength(&a); i += 66u) {
        sum += a[i] + b[j];
        j += 1u;
    }
    sums[id.x] = sum;
}
