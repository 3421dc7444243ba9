//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[29, 22, 15, 8, 1, 25, 18, 11, 4, 28, 21, 14, 7, 0, 24, 17, 10, 3]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var x = 0u;
    if id.x < n {
        x = a[n - 1 - id.x];
    }
    gridBarrier();
    if id.x < n {
        a[id.x] = x;
    }
}
