//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! in p = u32[0]
//! out a = u32[6, 20, 34, 48, 0, 14, 28, 42, 56, 8, 22, 36, 50, 2, 16, 30, 44, 58]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<uniform> p: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    for (var r = 0u; r < p; r++) {
        if id.x < n {
            a[id.x] = 0;
        }
        gridBarrier(); // redundant
    }
    if id.x < n {
        a[id.x] *= 2;
    }
}
