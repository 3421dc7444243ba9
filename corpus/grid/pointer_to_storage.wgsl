//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[1003, 1710, 2417, 24, 700, 1407, 2114, 2821, 428, 1104, 1811, 2518, 125, 801, 1508, 2215,
//!     2922, 329]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let p = &a[(id.x * 5) % n];
    let next = a[(id.x * 5 + 1) % n];
    gridBarrier();
    if id.x < n {
        *p += next * 100;
    }
}
