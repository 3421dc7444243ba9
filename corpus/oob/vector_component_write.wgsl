//! ours
//! in at = u32[0, 3, 4, 4294967295]
//! in c = u32[1 x 20]
//! out b = u32[9, 2, 3, 4, 1, 2, 3, 9, 1, 2, 3, 4, 1, 2, 3, 4]
//! out c = u32[5, 1 x 6, 5, 1 x 12]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4u>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var v = vec4u(1, 2, 3, 4);
    v[at[id.x]] = 9;
    b[id.x] = v;
    // Inside the buffer, but outside the vector.
    c[id.x][at[id.x]] = 5;
}
