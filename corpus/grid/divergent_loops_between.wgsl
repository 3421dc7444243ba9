//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[70, 54, 99, 62, 14, 91, 168, 151, 167, 88, 81, 99, 52, 42, 91, 103, 231, 200]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let inside = id.x < n;
    var sum = 0u;
    if inside {
        for (var k = 0u; k < a[id.x] % 5; k++) {
            if (k + id.x) % 3 == 0 {
                continue;
            }
            sum += a[(id.x + k) % n];
            if sum > 60 {
                break;
            }
        }
    }
    gridBarrier();
    if inside {
        a[id.x] += sum;
    }
    gridBarrier();
    let next = a[(id.x + 1) % n];
    gridBarrier();
    if inside {
        a[id.x] = a[id.x] * 2 + next;
    }
}
