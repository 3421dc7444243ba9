//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[126, 120, 114, 108, 102, 127, 121, 115, 109, 134, 126, 118, 110, 102, 127, 119, 111, 103]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

// `break` leaves the switch, `continue` the turn, and a flag the loop.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let inside = id.x < n;
    var done = false;
    for (var r = 0u; !done; r++) {
        switch r % 4 {
            case 0: {
                r++;
                break;
            }
            case 3: {
                if inside {
                    a[id.x] += 1;
                }
                gridBarrier();
                continue;
            }
            default: {
                if r == 6 {
                    done = true;
                    gridBarrier(); // redundant
                }
            }
        }
        if !done {
            let other = a[(id.x + r) % n];
            gridBarrier();
            if inside {
                a[id.x] += other;
            }
            gridBarrier();
        }
    }
}
