//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[1, 2 x 5, 3, 3]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 9u;
    switch a[id.x] {
        case 0: {
            r = 1;
        }
        default: {
            r = 2;
        }
        case 6, 7: {
            r = 3;
        }
    }
    b[id.x] = r;
}
