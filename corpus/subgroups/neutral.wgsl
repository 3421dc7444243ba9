// Those that take no part change nothing.
//! subgroup 8
//! grid 2
//! out b = i32[0, 0, 0, 0, -2, 2, 1, 0, -2, 2, -1, 0, 0, 0, 0, 0, -2, 2, 0, 0, -2, 2, 0, 0, 0, 0, 0, 0, -2, 2, 0, 0, -2, 2, 1, 0, 0, 0, 0, 0, -2, 2, 1, 0, -2, 2, -2, 0, 0, 0, 0, 0, -2, 2, 2, 0, -2, 2, 2, 0, 0, 0, 0, 0, -2, 2, 1, 0, -2, 2, -1, 0, 0, 0, 0, 0, -2, 2, 0, 0, -2, 2, 0, 0, 0, 0, 0, 0, -2, 2, 0, 0, -2, 2, 0, 0, 0, 0, 0, 0, -2, 2, 1, 0, -2, 2, -2, 0, 0, 0, 0, 0, -2, 2, 2, 0, -2, 2, 2, 0, 0, 0, 0, 0, -2, 2, 4, 0]
enable subgroups;
diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> b: array<i32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    if id.x % 3u != 0u {
        let x = i32(id.x % 5u) - 2;
        b[4u * id.x] = subgroupMin(x);
        b[4u * id.x + 1u] = subgroupMax(x);
        b[4u * id.x + 2u] = subgroupExclusiveMul(x);
        b[4u * id.x + 3u] = subgroupAnd(x);
    }
}
