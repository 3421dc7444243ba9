// Vectors go component by component.
//! subgroup 8
//! grid 2
//! out b = u32[28, 7, 0, 28, 7, 1, 28, 7, 3, 28, 7, 6, 28, 7, 10, 28, 7, 15, 28, 7, 21, 28, 7, 28, 92, 15, 8, 92, 15, 17, 92, 15, 27, 92, 15, 38, 92, 15, 50, 92, 15, 63, 92, 15, 77, 92, 15, 92, 156, 23, 16, 156, 23, 33, 156, 23, 51, 156, 23, 70, 156, 23, 90, 156, 23, 111, 156, 23, 133, 156, 23, 156, 220, 31, 24, 220, 31, 49, 220, 31, 75, 220, 31, 102, 220, 31, 130, 220, 31, 159, 220, 31, 189, 220, 31, 220]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let v = subgroupAdd(vec2u(id.x, 0u));
    let m = subgroupMax(vec3i(0, i32(id.x), -1));
    let s = subgroupInclusiveAdd(vec4u(0u, 0u, 0u, id.x));
    b[3u * id.x] = v.x + v.y;
    b[3u * id.x + 1u] = u32(m.x + m.y + m.z + 1);
    b[3u * id.x + 2u] = s.w + s.x;
}
