//! in b = u32[0 x 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = subgroupAdd(id.x); //~ runtime-error[unsupported] subgroup operations are not supported
}
