//! in a = i32[-1, 0, 7, -2147483648]
//! out b = u32[1, 4, 2, 3]
const LUCKY = 7;
const LEAST = i32(-2147483647 - 1);
@group(0) @binding(0) var<storage> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    switch a[id.x] {
        case -1: {
            b[id.x] = 1;
        }
        case LUCKY: {
            b[id.x] = 2;
        }
        case LEAST: {
            b[id.x] = 3;
        }
        default: {
            b[id.x] = 4;
        }
    }
}
