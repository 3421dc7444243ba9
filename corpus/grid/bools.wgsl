//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[0, 6, 5, 5, 6, 0, 3, 5, 5, 6, 5, 3, 3, 0, 6, 5, 3, 3]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let large = a[min(id.x, n - 1)] > 10;
    var flags = array<bool, 2>(large, false);
    if id.x < n {
        b[id.x] = a[id.x];
    }
    gridBarrier();
    flags[1] = b[(id.x + 1) % n] % 2 == 1;
    gridBarrier();
    let differs = flags[0] != flags[1];
    if id.x < n {
        b[id.x] = select(0u, 1u, large) + select(0u, 2u, flags[1]) + select(0u, 4u, differs);
    }
}
