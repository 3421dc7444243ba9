//! grid 2
//! in a = u32[0..8]
//! out b = u32[104 x 5, 5, 5, 5]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    for (var k = 0u; k < 6; k++) {
        switch k {
            case 99: {
                return;
            }
            default: {
                if k == a[id.x] {
                    r += 100;
                    break;
                }
                r += 1;
            }
        }
        if k == 4 {
            break;
        }
    }
    b[id.x] = r;
}
