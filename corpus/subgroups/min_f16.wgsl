// subgroupMin gives every invocation the same.
//! subgroup 8
//! grid 2
//! out b = f16[-2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0]
enable subgroups; enable f16;

@group(0) @binding(0) var<storage, read_write> b: array<f16>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
    let x = (f16(id.x * 5u % 9u) - 4.0h) / 2.0h;
    b[id.x] = subgroupMin(x);
}
