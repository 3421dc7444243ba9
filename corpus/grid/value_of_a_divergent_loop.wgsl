//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[718, 615, 1217, 1003, 0, 1623, 1720, 714, 1802, 218, 1407, 2017, 2316, 0, 310, 1712, 1506,
//!     1807]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn length(start: u32) -> u32 {
    var count = 0u;
    for (var x = start; x > 1; count++) {
        x = select(3 * x + 1, x / 2, x % 2 == 0);
    }
    return count;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let inside = id.x < n;
    let mine = length(a[min(id.x, n - 1)]);
    if inside {
        b[id.x] = mine;
    }
    gridBarrier();
    var other = 0u;
    if inside {
        other = b[n - 1 - id.x];
    }
    gridBarrier();
    if inside {
        b[id.x] = mine * 100 + other;
    }
}
