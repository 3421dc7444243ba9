//! grid 7
//! in bins = u32[3 x 10]
//! out bins = u32[26, 27, 27, 23, 27, 27, 25, 30, 24, 25]
//! in least = i32[5000 x 4]
//! out least = i32[-7973236, -8330360, -8246058, -8109647]
//! in most = i32[-7 x 4]
//! out most = i32[8362553, 8005429, 8141840, 8226142]
//! in every = u32[0xffffffff x 3]
//! out every = u32[1044480, 1044480, 1044480]
//! in some = u32[0x100 x 3]
//! out some = u32[4080, 4080, 4080]
//! in odd = u32[9 x 3]
//! out odd = u32[299763, 87398, 147492]
//! in change = u32[10 x 2]
//! out change = u32[4258297948, 36420204]
//! in table = u32[100 x 40]
//! out table = u32[100, 947, 954, 961, 968, 100, 982, 989, 996, 1003, 100, 1017, 1024, 1031, 1038, 100, 1052, 1059, 1066, 1073,
//!     100, 1087, 1094, 1101, 1108, 100, 1122, 1129, 1136, 1143, 100, 1157, 1164, 1171, 1178, 100, 1192, 1199, 1206, 1213]
//! finds out-of-bounds
// Buffers in which the kernel only counts, one for each way of counting. Some indices lie outside,
// the workgroup fills no whole number of vectors, and some invocations add nothing to the table.
struct Cells {
    bins: array<atomic<u32>, 10>,
}
@group(0) @binding(0) var<storage, read_write> bins: Cells;
@group(0) @binding(1) var<storage, read_write> least: array<atomic<i32>, 4>;
@group(0) @binding(2) var<storage, read_write> most: array<atomic<i32>, 4>;
@group(0) @binding(3) var<storage, read_write> every: array<atomic<u32>, 3>;
@group(0) @binding(4) var<storage, read_write> some: array<atomic<u32>, 3>;
@group(0) @binding(5) var<storage, read_write> odd: array<atomic<u32>, 3>;
@group(0) @binding(6) var<storage, read_write> change: array<atomic<u32>, 2>;
@group(0) @binding(7) var<storage, read_write> table: array<atomic<u32>, 40>;

@compute @workgroup_size(40)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = id.x;
    let hash = i * 2654435761u;
    let key = hash >> 13;
    atomicAdd(&bins.bins[key % 12], 1u);
    let v = bitcast<i32>(hash) >> 8u;
    atomicMin(&least[i % 4], v);
    atomicMax(&most[i % 4], v);
    atomicAnd(&every[i % 3], key | (0xfffffu << (i % 7 * 2)));
    atomicOr(&some[i % 3], (key & 0xff) << 4u);
    atomicXor(&odd[i % 3], key);
    if i % 2 == 0 {
        atomicSub(&change[0], key);
    } else {
        atomicAdd(&change[1], key);
    }
    if i % 5 != 0 {
        atomicAdd(&table[local], i);
    }
}
