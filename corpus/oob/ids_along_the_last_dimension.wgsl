//! grid 3
//! in a = u32[5, 6, 9, 14, 21, 30, 41, 54, 69, 86, 8, 29, 52, 77, 7, 36, 67, 3, 38, 75, 17, 58, 4, 49, 96,
//!     48, 2, 55, 13, 70, 32, 93, 59]
//! in c = u32[1, 8, 15, 22, 29, 36, 43, 50, 57, 64, 71, 78, 85, 92, 99, 106, 113, 120, 127, 134, 141, 148,
//!     155, 162, 169, 176, 183, 190, 197, 204, 211, 218, 225]
//! out b = u32[360, 572, 216, 456, 128, 396, 96, 392, 702, 444, 103, 455, 239, 619, 334, 160, 582, 339, 207,
//!     671, 470, 380, 207, 727, 679, 548, 431, 425, 336, 358, 297, 347, 314, 1363, 1575, 1219, 1459, 1131,
//!     1399, 1099, 1395, 1705, 1447, 1106, 1458, 1242, 1622, 1337, 1163, 1585, 1342, 1210, 1674, 1473,
//!     1383, 1210, 1730, 1682, 1551, 1434, 1428, 1339, 1361, 1300, 1350, 1317, 2366, 2578, 2222, 2462,
//!     2134, 2402, 2102, 2398, 2708, 2450, 2109, 2461, 2245, 2625, 2340, 2166, 2588, 2345, 2213, 2677,
//!     2476, 2386, 2213, 2733, 2685, 2554, 2437, 2431, 2342, 2364, 2303, 2353, 2320]
// Ids along y go on in the lanes that fill up the last lane group: they are no reason to read `a`,
// `c` or `tile` past its end.
@group(0) @binding(0) var<storage> a: array<u32, 33>;
@group(0) @binding(1) var<storage> c: array<u32, 33>;
@group(0) @binding(2) var<storage, read_write> b: array<u32, 99>;

var<workgroup> tile: array<u32, 33>;

@compute @workgroup_size(1, 33)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
    let y = local.y;
    tile[y] = 2u * a[y] + group.x;
    workgroupBarrier();
    b[group.x * 33u + y] = tile[32u - y] * 3u + a[y] + c[y] + group.x * 1000u;
}
