//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[666, 2229, 3684, 5102, 239, 1630, 3097, 4680, 5874, 979, 2434, 3965, 5267, 148, 1847, 3430,
//!     4833, 6217]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

// Eighty bytes for each invocation, and then some.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = a[min(id.x, n - 1)];
    var x: array<u32, 20>;
    for (var k = 0u; k < 20; k++) {
        x[k] = (mine * (k + 1)) ^ k;
    }
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    var sum = 7 * b[(id.x + 1) % n];
    gridBarrier();
    for (var k = 0u; k < 20; k++) {
        sum += x[k];
    }
    if id.x < n {
        b[id.x] = sum;
    }
}
