//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[647, 723, 892, 1030, 548, 903, 979, 1117, 1193, 711, 787, 956, 1092, 604, 953, 1005, 1125,
//!     1183]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn turn(i: u32, r: u32) {
    let n = arrayLength(&a);
    let x = a[min(i, n - 1)] * 3 + a[(i + r + 1) % n];
    gridBarrier();
    if i < n {
        a[i] = x;
    }
    gridBarrier();
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    for (var r = 0u; r < 3; r++) {
        turn(id.x, r);
    }
}
