//! grid 2
//! in h = f16[0 x 8]
//! out h = f16[0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
enable f16;
// Two bytes each: no store may touch its neighbour.
@group(0) @binding(0) var<storage, read_write> h: array<f16>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    h[id.x] = f16(id.x) * 0.5h;
}
