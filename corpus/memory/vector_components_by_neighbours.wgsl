//! grid 2
//! out b = u32[0, 10, 20, 30, 40, 50, 60, 70]
//! finds race-component
// Four invocations store the four components of one vector: no store may touch its neighbours.
@group(0) @binding(0) var<storage, read_write> b: array<vec4u>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let part = &b[id.x / 4];
    switch id.x % 4 {
        case 0: {
            part.x = id.x * 10;
        }
        case 1: {
            part.y = id.x * 10;
        }
        case 2: {
            b[id.x / 4].z = id.x * 10;
        }
        default: {
            b[id.x / 4][id.x % 4] = id.x * 10;
        }
    }
}
