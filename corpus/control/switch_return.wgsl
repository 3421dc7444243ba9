//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[70, 70, 50, 60, 70 x 4]
fn pick(x: u32) -> u32 {
    switch x {
        case 2: {
            return 50;
        }
        case 3: {
            return 60;
        }
        default: {
            return 70;
        }
    }
}

@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = pick(a[id.x]);
}
