//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[3, 4, 5, 6, 7, 8, 9, 10]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var k = a[id.x];
    var n = 0;
    for (;;) {
        if n == 3 {
            break;
        }
        n++;
        k++;
    }
    for (; n < 3;) {
        k = 77;
    }
    b[id.x] = k;
}
