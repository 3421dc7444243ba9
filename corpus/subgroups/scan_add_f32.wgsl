// subgroupInclusiveAdd counts the own value, subgroupExclusiveAdd does not.
//! subgroup 8
//! grid 2
//! out b = f32[-2.0, -1.5, -3.0, -2.0, -3.0, -1.5, -2.0, 0.0, 0.0, -2.0, -1.5, -3.0, -2.0, -3.0, -1.5, -2.0, 2.0, 2.0, 0.0, 0.5, -1.0, 0.0, -1.0, 0.5, -0.5, 1.5, 1.5, -0.5, 0.0, -1.5, -0.5, -1.5]
//! out c = f32[0.0, -2.0, -1.5, -3.0, -2.0, -3.0, -1.5, -2.0, 0.0, 0.0, -2.0, -1.5, -3.0, -2.0, -3.0, -1.5, 0.0, 2.0, 2.0, 0.0, 0.5, -1.0, 0.0, -1.0, 0.0, -0.5, 1.5, 1.5, -0.5, 0.0, -1.5, -0.5]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (f32(id.x * 5u % 9u) - 4.0) / 2.0;
    b[id.x] = subgroupInclusiveAdd(x);
    c[id.x] = subgroupExclusiveAdd(x);
}
