//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[96, 121, 115, 109, 103, 128, 122, 116, 110, 104, 129, 121, 113, 105, 128, 120, 112, 104]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

// Turn 2 goes straight to `continuing`.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var r = 0u;
    loop {
        if r == 2 {
            continue;
        }
        let other = a[(id.x + r + 1) % n];
        gridBarrier();
        if id.x < n {
            a[id.x] += other;
        }
        continuing {
            gridBarrier();
            r++;
            break if r >= 4;
        }
    }
}
