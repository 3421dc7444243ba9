//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[847, 894, 933, 951, 961, 946, 898, 883, 895, 903, 936, 967, 957, 955, 912, 848, 827, 835]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

// The inner loop has as many turns as the outer one has had.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    for (var q = 0u; q < 3; q++) {
        for (var r = 0u; r <= q; r++) {
            let other = a[(id.x + r + 1) % n];
            gridBarrier();
            if id.x < n {
                a[id.x] += other;
            }
            gridBarrier();
        }
        if id.x < n {
            a[id.x] ^= q;
        }
        gridBarrier();
    }
}
