//! grid 2
//! in p = u32[0..16]
//! out b = u32[0, 4, 9, 13, 2, 6, 11, 15]
@group(0) @binding(0) var<uniform> p: array<vec4u, 4>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = p[id.x % 4][id.x / 2];
}
