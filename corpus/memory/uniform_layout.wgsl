//! in p = f32[2] pad[12] u32[10, 11, 12] pad[4] u32[1, 2, 3, 4] u32[5, 6, 7, 8] f32[1, 0, 0, 0] f32[0, 2, 0,
//!     0] f32[0, 0, 3, 0] f32[0, 0, 0, 4] i32[-1] pad[12]
//! out b = u32[2, 33, 10, 26, 10, 0xffffffff]
struct Params {
    scale: f32,                       // 0
    @align(16) offset: vec3u,         // 16
    table: array<vec4u, 2>,           // 32
    m: mat4x4f,                       // 64
    last: i32,                        // 128
}                                     // 144
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(p.scale);
    b[1] = p.offset.x + p.offset.y + p.offset.z;
    b[2] = dot(p.table[0], vec4u(1));
    b[3] = dot(p.table[1], vec4u(1));
    b[4] = u32(p.m[0].x + p.m[1].y + p.m[2].z + p.m[3].w);
    b[5] = u32(p.last);
}
