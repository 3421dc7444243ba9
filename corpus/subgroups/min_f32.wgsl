// subgroupMin gives every invocation the same.
//! subgroup 8
//! grid 2
//! out b = f32[-2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (f32(id.x * 5u % 9u) - 4.0) / 2.0;
    b[id.x] = subgroupMin(x);
}
