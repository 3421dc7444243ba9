// subgroupInclusiveMul counts the own value, subgroupExclusiveMul does not.
//! subgroup 8
//! grid 2
//! out b = i32[-11, -33, 198, 1584, -1584, 15840, 63360, -316800, 9, 0, 0, 0, 0, 0, 0, 0, 6, -18, -198, -396, 2772, 19404, -38808, 426888, 3, -18, -144, 144, -1440, -5760, 28800, 259200]
//! out c = i32[1, -11, -33, 198, 1584, -1584, 15840, 63360, 1, 9, 0, 0, 0, 0, 0, 0, 1, 6, -18, -198, -396, 2772, 19404, -38808, 1, 3, -18, -144, 144, -1440, -5760, 28800]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i32>;
@group(0) @binding(1) var<storage, read_write> c: array<i32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = i32(id.x * 37u % 23u) - 11;
    b[id.x] = subgroupInclusiveMul(x);
    c[id.x] = subgroupExclusiveMul(x);
}
