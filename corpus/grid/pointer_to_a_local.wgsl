//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[417, 1124, 1800, 2507, 114, 821, 1528, 2204, 2911, 518, 1225, 1901, 2608, 215, 922, 1629,
//!     2303, 3010]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    var x = a[min(id.x, n - 1)];
    let p = &x;
    if id.x < n {
        b[id.x] = *p;
    }
    gridBarrier();
    let other = b[(id.x + 2) % n];
    *p += 1;
    gridBarrier();
    *p *= 100;
    if id.x < n {
        b[id.x] = x + other;
    }
}
