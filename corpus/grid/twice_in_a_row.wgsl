//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[29, 22, 15, 8, 1, 25, 18, 11, 4, 28, 21, 14, 7, 0, 24, 17, 10, 3]
//! out c = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;

// Either would do.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    if id.x < n {
        c[id.x] = a[id.x];
    }
    gridBarrier(); // redundant
    gridBarrier(); // redundant
    if id.x < n {
        b[id.x] = c[n - 1 - id.x];
    }
}
