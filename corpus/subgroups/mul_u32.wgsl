// subgroupMul gives every invocation the same.
//! subgroup 8
//! grid 2
//! out b = u32[0, 0, 0, 0, 0, 0, 0, 0, 4045253248, 4045253248, 4045253248, 4045253248, 4045253248, 4045253248, 4045253248, 4045253248, 505630976, 505630976, 505630976, 505630976, 505630976, 505630976, 505630976, 505630976, 2169483904, 2169483904, 2169483904, 2169483904, 2169483904, 2169483904, 2169483904, 2169483904]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (id.x * 2654435761u) >> 24u;
    b[id.x] = subgroupMul(x);
}
