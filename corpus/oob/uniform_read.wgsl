//! ours
//! in at = u32[0, 1, 2, 4294967295]
//! in p = u32[1, 2, 3, 4] u32[5, 6, 7, 8]
//! out b = u32[4, 8, 0, 0]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<uniform> p: array<vec4u, 2>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = p[at[id.x]].w;
}
