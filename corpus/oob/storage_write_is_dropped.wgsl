//! ours
//! grid 2
//! in at = u32[0, 3, 4, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x40000000]
//! in b = u32[9 x 4]
//! out b = u32[100, 9, 9, 101]
//! out after = u32[7, 7, 7, 7]
//! in after = u32[7, 7, 7, 7]
//! finds out-of-bounds
@group(0) @binding(0) var<storage> at: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
// Another buffer that a stray write might hit.
@group(0) @binding(2) var<storage, read_write> after: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[at[id.x]] = 100 + id.x;
    if at[id.x] == 77 {
        after[0] = 1;
    }
}
