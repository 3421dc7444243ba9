//! threads 16
//! in a = u32[290, 853, 622, 833, 243, 103, 290, 394, 525, 739, 677, 190, 409, 919, 41, 870]
//! out a = u32[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
//! out b = u32[0, 5, 1, 6, 2, 7, 3, 8, 4, 9, 5, 10, 6, 11, 7, 12, 8, 13, 9, 14, 10, 15, 11, 16, 12, 17, 13, 18,
//!     14, 19, 15, 20]
// An atomic addition between two atomic loads of one word: the second sees it.
@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2u>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    atomicStore(&a[id.x], id.x);
    let before = atomicLoad(&a[id.x]);
    atomicAdd(&a[id.x], 5u);
    b[id.x] = vec2(before, atomicLoad(&a[id.x]));
}
