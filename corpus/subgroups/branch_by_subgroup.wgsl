// What is the same for the subgroup may decide whether it comes to an operation.
//! subgroup 8
//! grid 2
//! out b = u32[0, 0, 0, 0, 0, 0, 0, 0, 92, 92, 92, 92, 92, 92, 92, 92, 0, 0, 0, 0, 0, 0, 0, 0, 220, 220, 220, 220, 220, 220, 220, 220]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_id) sub: u32) {
    var r = 0u;
    if sub == 1u {
        r = subgroupAdd(id.x);
    }
    if subgroupAny(id.x % 8u == 9u) {
        r = subgroupAdd(1u);
    }
    b[id.x] = r;
}
