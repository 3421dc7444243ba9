//! grid 2
//! out b = u32[7]
@group(0) @binding(0) var<storage, read_write> b: array<u32, 1>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x == 5 {
        b[0] = 7;
    }
}
