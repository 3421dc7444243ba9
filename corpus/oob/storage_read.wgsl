//! ours
//! grid 2
//! in at = u32[0, 3, 4, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x40000000]
//! in a = u32[11, 22, 33, 44]
//! out b = u32[11, 44, 0 x 6]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = a[at[id.x]];
}
