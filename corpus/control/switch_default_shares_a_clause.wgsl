//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[9, 9, 9, 7, 8, 9, 9, 9]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    switch a[id.x] {
        case 3 {
            r = 7;
        }
        case 1, default, 2 {
            r = 9;
        }
        case 4 {
            r = 8;
        }
    }
    b[id.x] = r;
}
