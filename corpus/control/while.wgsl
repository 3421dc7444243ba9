//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[0, 1, 4, 9, 16, 25, 36, 49]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var n = a[id.x];
    var r = 0u;
    while n > 0 {
        r += 2 * n - 1;
        n--;
    }
    b[id.x] = r;
}
