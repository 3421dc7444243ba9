//! grid 3,2,2
//! out b = u32[100000, 110010, 120001, 130011, 140002, 150012, 101020, 111030, 121021, 131031, 141022,
//!     151032, 102040, 112050, 122041, 132051, 142042, 152052, 103003, 113013, 123004, 133014, 143005,
//!     153015, 104023, 114033, 124024, 134034, 144025, 154035, 105043, 115053, 125044, 135054, 145045,
//!     155055, 6, 10016, 20007, 30017, 40008, 50018, 1026, 11036, 21027, 31037, 41028, 51038, 2046, 12056,
//!     22047, 32057, 42048, 52058, 3009, 13019, 23010, 33020, 43011, 53021, 4029, 14039, 24030, 34040, 44031,
//!     54041, 5049, 15059, 25050, 35060, 45051, 55061]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn at(id: vec3u) -> u32 {
    return id.x + 6 * (id.y + 6 * id.z);
}

// Each reads where x and y are exchanged and z is the other one.
@compute @workgroup_size(2, 3)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    b[at(id)] = id.x + 10 * id.y + 100 * id.z;
    gridBarrier();
    let x = b[at(vec3u(id.yx, 1 - id.z))];
    gridBarrier();
    b[at(id)] = x * 1000 + local * 10 + group.x + groups.x * (group.y + groups.y * group.z);
}
