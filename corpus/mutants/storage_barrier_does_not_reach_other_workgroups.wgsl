//! racy
//! grid 4
//! out a = u32[1 x 4]
//! out b = u32[1, 1, 1, 1]
//! finds race
// `storageBarrier` orders the invocations of one workgroup only.
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
    a[group.x] = 1;
    storageBarrier();
    b[group.x] = a[(group.x + 1) % 4];
}
