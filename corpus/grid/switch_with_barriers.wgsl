//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[512, 450, 450, 450, 388, 450, 450, 450, 512, 512, 450, 450, 450, 388, 450, 450, 450, 512]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let inside = id.x < n;
    for (var r = 0u; r < 6; r++) {
        var x = 0u;
        switch r {
            case 1, 2: {
                x = a[(id.x + r) % n];
                gridBarrier();
            }
            case 3: {
                if inside {
                    x = a[id.x];
                }
            }
            case 4: {
                if r == 4 {
                    break;
                }
                gridBarrier(); // redundant
            }
            default: {
                if inside {
                    x = a[n - 1 - id.x];
                }
                gridBarrier();
            }
        }
        if inside {
            a[id.x] += x;
        }
        gridBarrier();
    }
}
