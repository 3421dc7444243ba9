//! in p = f32[2] pad[12] u32[10, 11, 12] i32[-1] f32[1, 0, 0, 0] f32[0, 2, 0, 0] f32[0, 0, 3, 0] f32[0, 0, 0, 4]
//! out b = u32[2, 33, 0xffffffff, 10]
struct Params {
    scale: f32,      // 0
    offset: vec3u,   // 16
    last: i32,       // 28
    m: mat4x4f,      // 32
}                    // 96
var<immediate> p: Params;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(p.scale);
    b[1] = p.offset.x + p.offset.y + p.offset.z;
    b[2] = u32(p.last);
    b[3] = u32(p.m[0].x + p.m[1].y + p.m[2].z + p.m[3].w);
}
