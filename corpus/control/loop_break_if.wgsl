//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[1, 1, 2, 2, 2, 3, 3, 3]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var k = 0u;
    loop {
        k += 1;
        continuing {
            break if k * k >= a[id.x];
        }
    }
    b[id.x] = k;
}
