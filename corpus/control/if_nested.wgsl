//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[5, 20, 5, 10, 5, 20, 5, 11]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = a[id.x];
    var r = 5u;
    if (x & 1) != 0 {
        if (x & 2) != 0 {
            r = 10;
            if x > 4 {
                r += 1;
            }
        } else {
            r = 20;
        }
    }
    b[id.x] = r;
}
