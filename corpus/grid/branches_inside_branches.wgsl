//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! in p = u32[5]
//! out a = u32[46, 60, 74, 88, 9, 54, 68, 82, 34, 48, 62, 76, 90, 7, 52, 66, 80, 32]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<uniform> p: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let inside = id.x < n;
    var x = 0u;
    if p > 3 {
        if inside {
            x = a[n - 1 - id.x];
        }
        if p > 4 {
            x += a[(id.x + p) % n];
            if p > 5 {
                x = 1;
                gridBarrier(); // redundant
            } else {
                if p == 5 {
                    x += a[(id.x + p) % n];
                    gridBarrier();
                }
            }
        }
    }
    if inside {
        a[id.x] += x;
    }
}
