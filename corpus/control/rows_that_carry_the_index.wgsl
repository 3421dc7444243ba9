//! grid 2,2
//! in bound = u32[6]
//! in a = u32[1, 1, 45, 9, 3, 3, 15, 0, 3, 0, 5, 13, 45, 12, 0, 82, 8, 14, 13, 51, 4, 1, 2, 14, 13, 13, 56, 13, 14, 0, 5, 62]
//! in counts = u32[2, 4, 8, 6, 14, 2]
//! out counts = u32[2, 4, 8, 6, 14, 2]
//! out last = u32[0, 1, 45, 9, 3, 3, 15, 0, 3, 0, 5, 13, 45, 12, 0, 82, 8, 14, 13, 51, 4, 1, 2, 14,
//!     13, 13, 56, 13, 14, 0, 5, 62, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 45, 9, 3, 3, 15, 0, 3, 0, 5, 13,
//!     45, 12, 0, 82, 8, 14, 13, 51, 4, 1, 2, 14, 13, 13, 56, 13, 14, 0, 5, 62, 0, 0, 0, 0, 0, 0,
//!     0, 0, 0, 1, 45, 9, 3, 3, 15, 0, 3, 0, 5, 13, 45, 12, 0, 82, 8, 14, 13, 51, 4, 1, 2, 14, 13,
//!     13, 56, 13, 14, 0, 5, 62, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 45, 9, 3, 3, 15, 0, 3, 0, 5, 13, 45,
//!     12, 0, 82, 8, 14, 13, 51, 4, 1, 2, 14, 13, 13, 56, 13, 14, 0, 5, 62, 0, 0, 0, 0, 0, 0, 0, 0]
//! finds out-of-bounds
// What a turn leaves is the very index that the first row was found by.
@group(0) @binding(0) var<uniform> bound: u32;
@group(0) @binding(1) var<storage> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> last: array<u32, 160>;

@compute @workgroup_size(40)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    var kept = a[local];
    let more = kept % 3u;
    for (var i = local + (bound & 15u); i <= bound; i += groups.x * 40u) {
        atomicAdd(&counts[a[i] & 7u], more + 1u);
        kept = local;
    }
    workgroupBarrier(); // redundant
    last[(group.y * 2u + group.x) * 40u + local] = kept;
}
