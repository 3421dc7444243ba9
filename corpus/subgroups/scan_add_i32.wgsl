// subgroupInclusiveAdd counts the own value, subgroupExclusiveAdd does not.
//! subgroup 8
//! grid 2
//! out b = i32[-11, -8, -14, -6, -7, -17, -13, -18, 9, 9, 0, 5, 1, 11, 12, 4, 6, 3, 14, 16, 9, 16, 14, 3, 3, -3, 5, 4, -6, -2, -7, 2]
//! out c = i32[0, -11, -8, -14, -6, -7, -17, -13, 0, 9, 9, 0, 5, 1, 11, 12, 0, 6, 3, 14, 16, 9, 16, 14, 0, 3, -3, 5, 4, -6, -2, -7]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i32>;
@group(0) @binding(1) var<storage, read_write> c: array<i32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = i32(id.x * 37u % 23u) - 11;
    b[id.x] = subgroupInclusiveAdd(x);
    c[id.x] = subgroupExclusiveAdd(x);
}
