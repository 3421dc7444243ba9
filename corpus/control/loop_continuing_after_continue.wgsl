//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[0, 1, 1004, 1009, 2016, 2025, 3036, 3049]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    var k = 0u;
    loop {
        if k >= a[id.x] {
            break;
        }
        let t = k * 2;
        if k % 2 == 0 {
            continue;
        }
        r += 1000;
        continuing {
            r += t + 1;
            k += 1;
        }
    }
    b[id.x] = r;
}
