//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[310, 1017, 1724, 2400, 7, 714, 1421, 2128, 2804, 411, 1118, 1825, 2501, 108, 815, 1522, 2229,
//!     2903]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

// `a[i]` is read before the call that changes it, and what the call gives after.
fn change(i: u32) -> u32 {
    let n = arrayLength(&a);
    let x = a[(i + 1) % n];
    gridBarrier();
    if i < n {
        a[i] = 5;
    }
    return x;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = min(id.x, arrayLength(&a) - 1);
    let before = a[i];
    let x = before * 100 + change(id.x);
    if id.x < arrayLength(&a) {
        a[id.x] = x + a[i] - 5;
    }
}
