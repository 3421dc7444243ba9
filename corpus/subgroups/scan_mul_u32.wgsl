// subgroupInclusiveMul counts the own value, subgroupExclusiveMul does not.
//! subgroup 8
//! grid 2
//! out b = u32[0, 0, 0, 0, 0, 0, 0, 0, 241, 34463, 1585298, 323400792, 4215712880, 3660931968, 1490282624, 4045253248, 227, 29283, 907773, 172476870, 2982970152, 2713195792, 88899968, 505630976, 213, 24495, 416415, 72872625, 1389097454, 1409484648, 1235353104, 2169483904]
//! out c = u32[1, 0, 0, 0, 0, 0, 0, 0, 1, 241, 34463, 1585298, 323400792, 4215712880, 3660931968, 1490282624, 1, 227, 29283, 907773, 172476870, 2982970152, 2713195792, 88899968, 1, 213, 24495, 416415, 72872625, 1389097454, 1409484648, 1235353104]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (id.x * 2654435761u) >> 24u;
    b[id.x] = subgroupInclusiveMul(x);
    c[id.x] = subgroupExclusiveMul(x);
}
