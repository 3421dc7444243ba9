//! threads 13
//! out b = u32[1446646599, 3818981429, 838748951, 1656967387, 3468218587, 2736650817, 10157983, 344745593,
//!     128448565, 2822549795, 1223427934, 3919220151, 2319978498]
// The inner loop's turns depend on the outer counter; both index arrays.
@group(0) @binding(0) var<storage, read_write> b: array<u32, 13>;

const factors = array<u32, 5>(3, 1, 4, 1, 5);

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x;
    var sums: array<u32, 5>;
    var acc = 0u;
    for (var r = 0u; r < 5u; r++) {
        var full = false;
        for (var c = i32(r); c >= 0; c--) {
            if c == 2 && x % 3u == 0u {
                continue;
            }
            sums[c] += factors[r] * (x + u32(c));
            if sums[c] > 60u {
                full = true;
                break;
            }
        }
        if !full {
            acc = acc * 31u + sums[r];
            continue;
        }
        acc += 1000u;
        if x == 7u && r == 3u {
            break;
        }
    }
    for (var r = 0u; r < 5u; r++) {
        acc = acc * 31u + sums[4u - r];
    }
    if x < 13u {
        b[x] = acc;
    }
}
