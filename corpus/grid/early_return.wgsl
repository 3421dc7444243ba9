//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! in p = u32[2]
//! out a = u32[54, 51, 48, 45, 42, 70, 67, 64, 61, 58, 55, 52, 49, 46, 74, 69, 64, 59]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<uniform> p: u32;

// From within a loop, all at once.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    for (var r = 0u; r < 10; r++) {
        if r == p {
            return;
        }
        let other = a[(id.x + r + 1) % n];
        gridBarrier();
        if id.x < n {
            a[id.x] += other;
        }
        gridBarrier();
    }
    if id.x < n {
        a[id.x] = 0;
    }
}
