// subgroupInclusiveAdd counts the own value, subgroupExclusiveAdd does not.
//! subgroup 8
//! grid 2
//! out b = u32[0, 158, 218, 436, 556, 579, 760, 843, 241, 384, 430, 634, 740, 748, 915, 984, 227, 356, 387, 577, 669, 919, 1071, 1125, 213, 328, 345, 520, 598, 834, 972, 1012]
//! out c = u32[0, 0, 158, 218, 436, 556, 579, 760, 0, 241, 384, 430, 634, 740, 748, 915, 0, 227, 356, 387, 577, 669, 919, 1071, 0, 213, 328, 345, 520, 598, 834, 972]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (id.x * 2654435761u) >> 24u;
    b[id.x] = subgroupInclusiveAdd(x);
    c[id.x] = subgroupExclusiveAdd(x);
}
