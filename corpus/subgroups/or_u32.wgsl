// subgroupOr gives every invocation the same.
//! subgroup 8
//! grid 2
//! out b = u32[255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (id.x * 2654435761u) >> 24u;
    b[id.x] = subgroupOr(x);
}
