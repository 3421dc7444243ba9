//! ours
//! in a = u32[1, 2, 3] pad[4] u32[4, 5]  pad[2]
//! out b = u32[6, 0]
//! out n = u32[1]
//! finds out-of-bounds
// The second element is only partly there.
@group(0) @binding(0) var<storage> a: array<vec3u>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> n: u32;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) k: u32) {
    let v = a[k];
    b[k] = v.x + v.y + v.z;
    if k == 0 {
        n = arrayLength(&a);
    }
}
