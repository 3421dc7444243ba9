//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[454, 982, 1400, 1925, 294, 742, 1274, 1696, 2225, 598, 1030, 1473, 1992, 355, 902, 1318, 1759,
//!     2280]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = a[min(id.x, n - 1)];
    var x: array<u32, 5>;
    for (var k = 0u; k < 5; k++) {
        x[k] = (mine + k) * (k + 1);
    }
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    x[id.x % 5] += b[(id.x + 2) % n];
    gridBarrier();
    var sum = 0u;
    for (var k = 0u; k < 5; k++) {
        sum += x[k] * (k + 2);
    }
    if id.x < n {
        b[id.x] = sum;
    }
}
