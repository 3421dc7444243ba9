//! ours
//! grid 3
//! in b = u32[0..12]
//! out b = u32[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
    let other = b[id.x - i + 3 - i];
    storageBarrier();
    b[id.x] = other;
}
