// subgroupInclusiveMul counts the own value, subgroupExclusiveMul does not.
//! subgroup 8
//! grid 2
//! out b = f32[1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0]
//! out c = f32[1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0, 1.0, 1.0, -2.0, -1.0]
enable subgroups;

@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@group(0) @binding(1) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = array<f32, 4>(1.0, -2.0, 0.5, -1.0)[id.x % 4u];
    b[id.x] = subgroupInclusiveMul(x);
    c[id.x] = subgroupExclusiveMul(x);
}
