//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[0, 20, 62, 86, 132, 160, 160, 160]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    for (var p = 0u; p < 5; p++) {
        for (var q = 0u; q < 5; q++) {
            if q == a[id.x] {
                break;
            }
            if (p + q) % 2 == 1 {
                continue;
            }
            r += 10 * p + q;
        }
        if p == 3 {
            break;
        }
    }
    b[id.x] = r;
}
