//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[3269, 4689, 3133, 4894, 2393, 4185, 2257, 4049, 4134, 3415, 4835, 3063, 4824, 2431, 4223,
//!     2271, 4063, 4150]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    var x = a[min(id.x, n - 1)];
    for (var r = 0u; r < 4; r++) {
        if id.x < n {
            b[id.x] = x;
        }
        gridBarrier();
        x *= 3;
        x += b[(id.x + 7) % n];
        x += r;
        gridBarrier();
    }
    if id.x < n {
        b[id.x] = x;
    }
}
