//! ours
//! grid 2
//! in at = u32[0, 3, 4, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x40000000]
//! in a = u32[11, 22, 33, 44, 55, 66]
//! out a = u32[0, 22, 33, 1, 55, 66]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
struct Holder {
    items: array<u32, 4>,
    next: vec2u,
}
@group(0) @binding(1) var<storage, read_write> a: Holder;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    a.items[at[id.x]] = id.x;
}
