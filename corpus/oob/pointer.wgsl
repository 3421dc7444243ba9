//! ours
//! in at = u32[0, 3, 4, 4294967295]
//! in a = u32[5, 6, 7, 8]
//! out a = u32[50, 6, 7, 80]
//! out b = u32[50, 80, 0, 0]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = &a[at[id.x]];
    *p *= 10;
    b[id.x] = *p;
}
