// subgroupAll, subgroupAny and subgroupBallot; the bits beyond the subgroup are zero.
//! subgroup 8
//! grid 2
//! out b = u32[0, 0, 146, 0, 0, 0, 146, 0, 0, 0, 146, 0, 0, 0, 146, 0, 0, 0, 146, 0, 0, 0, 146, 0, 0, 0, 146, 0, 0, 0, 146, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 1, 36, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 73, 0, 1, 0, 146, 0, 1, 0, 146, 0, 1, 0, 146, 0, 1, 0, 146, 0, 1, 0, 146, 0, 1, 0, 146, 0, 1, 0, 146, 0, 1, 0, 146, 0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let bits = subgroupBallot(id.x % 3u == 1u);
    b[4u * id.x] = u32(subgroupAll(id.x >= 8u));
    b[4u * id.x + 1u] = u32(subgroupAny(id.x == 13u));
    b[4u * id.x + 2u] = bits.x;
    b[4u * id.x + 3u] = bits.y | bits.z | bits.w;
}
