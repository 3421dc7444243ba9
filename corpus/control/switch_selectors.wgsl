//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[100, 200, 200, 200, 400, 300, 400, 400]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r: u32;
    switch a[id.x] {
        case 0: {
            r = 100;
        }
        case 1, 2, 3: {
            r = 200;
        }
        case 5u: {
            r = 300;
        }
        default: {
            r = 400;
        }
    }
    b[id.x] = r;
}
