//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[1, 2, 3, 3, 40, 50, 60, 70]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    switch a[id.x] / 4 {
        case 0: {
            switch a[id.x] {
                case 0: {
                    r = 1;
                }
                case 1: {
                    r = 2;
                    break;
                }
                default: {
                    r = 3;
                }
            }
        }
        default: {
            r = a[id.x] * 10;
        }
    }
    b[id.x] = r;
}
