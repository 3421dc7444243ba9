//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[181, 231, 250, 238, 224, 210, 229, 277, 230, 185, 233, 248, 234, 220, 204, 221, 271, 226]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    for (var r = 0u; r < 6; r++) {
        let other = a[(id.x + r + 1) % n];
        gridBarrier();
        if r % 3 == 1 {
            continue;
        }
        if id.x < n {
            a[id.x] += other;
        }
        gridBarrier();
    }
}
