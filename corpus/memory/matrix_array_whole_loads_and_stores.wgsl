//! in a = (f32[1, 2, 3] pad[4] f32[4, 5, 6] pad[4]) x 2 f32[7, 8, 9] pad[4] f32[10, 11, 12] pad[4] f32[0, 1,
//!     0] pad[4] f32[1, 0, 1] pad[4]
//! out b = f32[1, 2, 3] pad[4] f32[8, 10, 12] pad[4] f32[1, 2, 3] pad[4] f32[8, 10, 12] pad[4] f32[7, 8, 9]
//!     pad[4] f32[20, 22, 24] pad[4] f32[0, 1, 0] pad[4] f32[2, 0, 2] pad[4]
@group(0) @binding(0) var<storage> a: array<mat2x3f>;
@group(0) @binding(1) var<storage, read_write> b: array<mat2x3f>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var m = a[id.x];
    m[1] *= 2;
    b[id.x] = m;
}
