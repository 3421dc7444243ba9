// subgroupMax gives every invocation the same.
//! subgroup 8
//! grid 2
//! out b = i32[8, 8, 8, 8, 8, 8, 8, 8, 10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11, 9, 9, 9, 9, 9, 9, 9, 9]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<i32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = i32(id.x * 37u % 23u) - 11;
    b[id.x] = subgroupMax(x);
}
