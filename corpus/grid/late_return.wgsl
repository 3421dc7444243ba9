//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[3, 34, 17, 31, 0, 28, 14, 25, 28, 22, 11, 19, 25, 16, 8, 44, 22, 39]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

// Behind the last barrier everyone may leave when they like.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let other = a[(id.x + 2) % n];
    gridBarrier();
    if id.x >= n {
        return;
    }
    if id.x % 2 == 0 {
        return;
    }
    a[id.x] += other;
}
