//! grid 2,3,2
//! out b = u32[0, 1, 2, 100, 101, 102, 3, 4, 5, 103, 104, 105, 200, 201, 202, 300, 301, 302, 203, 204, 205,
//!     303, 304, 305, 400, 401, 402, 500, 501, 502, 403, 404, 405, 503, 504, 505, 6, 7, 8, 106, 107, 108, 9,
//!     10, 11, 109, 110, 111, 206, 207, 208, 306, 307, 308, 209, 210, 211, 309, 310, 311, 406, 407, 408, 506,
//!     507, 508, 409, 410, 411, 509, 510, 511, 600, 601, 602, 700, 701, 702, 603, 604, 605, 703, 704, 705,
//!     800, 801, 802, 900, 901, 902, 803, 804, 805, 903, 904, 905, 1000, 1001, 1002, 1100, 1101, 1102, 1003,
//!     1004, 1005, 1103, 1104, 1105, 606, 607, 608, 706, 707, 708, 609, 610, 611, 709, 710, 711, 806, 807,
//!     808, 906, 907, 908, 809, 810, 811, 909, 910, 911, 1006, 1007, 1008, 1106, 1107, 1108, 1009, 1010,
//!     1011, 1109, 1110, 1111]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn at(id: vec3u) -> u32 {
    return id.x + 6 * (id.y + 6 * id.z);
}

struct Where {
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) index: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) count: vec3u,
}

fn linear(group: vec3u, count: vec3u) -> u32 {
    return group.x + count.x * (group.y + count.y * group.z);
}

@compute @workgroup_size(3, 2, 2)
fn main(here: Where) {
    b[at(here.id)] = here.index + 100 * linear(here.group, here.count);
}
