// subgroupMul gives every invocation the same.
//! subgroup 8
//! grid 2
//! out b = f16[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
enable subgroups; enable f16;

@group(0) @binding(0) var<storage, read_write> b: array<f16>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = array<f16, 4>(1.0h, -2.0h, 0.5h, -1.0h)[id.x % 4u];
    b[id.x] = subgroupMul(x);
}
