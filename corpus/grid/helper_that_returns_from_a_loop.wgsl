//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[896, 910, 924, 938, 890, 966, 914, 924, 930, 932, 934, 932, 930, 866, 930, 870, 876, 886]
//! out b = u32[2910, 2954, 2998, 3042, 2838, 3192, 3038, 3070, 3090, 3036, 3044, 3040, 3036, 2784, 3102,
//!     2916, 2928, 2952]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn add(i: u32, k: u32) -> u32 {
    let n = arrayLength(&a);
    for (var r = 0u; r < 5; r++) {
        if r == k + 1 {
            return a[min(i, n - 1)];
        }
        let x = a[(i + r + k) % n];
        gridBarrier();
        if i < n {
            a[i] += x;
        }
        gridBarrier();
    }
    return 0;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var total = 0u;
    for (var k = 0u; k < 3; k++) {
        total += add(id.x, k) * (k + 1);
    }
    if id.x < arrayLength(&b) {
        b[id.x] = total;
    }
}
