//! racy
//! grid 4
//! out b = u32[1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]
//! out scratch = u32[0..16]
//! finds race
// `workgroup/storage_barrier`, without its barrier.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> scratch: array<u32>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    scratch[id.x] = id.x;
    b[id.x] = scratch[4 * group.x + (local + 1) % 4];
}
