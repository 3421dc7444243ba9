//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[1261, 1300, 101, 144, 190, 1569, 1520, 233, 188, 234, 1877, 190, 365, 503, 278, 2185, 310,
//!     437]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

// The index is fixed where the pointer is made, whatever becomes of `k`.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = a[min(id.x, n - 1)];
    var x = array<u32, 4>(1, 2, 3, 4);
    var k = mine % 4;
    let p = &x[k];
    k = 9;
    *p += mine;
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    *p += 10 * b[(id.x + 2) % n];
    gridBarrier();
    if id.x < n {
        b[id.x] = x[0] + x[1] * 3 + x[2] * 5 + x[3] * 7 + (k - 9);
    }
}
