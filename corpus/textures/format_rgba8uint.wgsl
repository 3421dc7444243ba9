// The bits of `rgba8uint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = rgba8uint 7x3
//! in photo = u32[0x00000000, 0xffffffff, 0x00000001, 0x00000080, 0x000000ff, 0x0000007f, 0x00000100,
//!   0x00008000, 0x0000ff00, 0x00007f00, 0x00010000, 0x00800000, 0x00ff0000, 0x007f0000,
//!   0x01000000, 0x80000000, 0xff000000, 0x7f000000, 0xd843016d, 0xbc019684, 0x2a66a4ff]
//! out seen = u32[0, 0, 0, 0,
//!   255, 255, 255, 255,
//!   1, 0, 0, 0,
//!   128, 0, 0, 0,
//!   255, 0, 0, 0,
//!   127, 0, 0, 0,
//!   0, 1, 0, 0,
//!   0, 128, 0, 0,
//!   0, 255, 0, 0,
//!   0, 127, 0, 0,
//!   0, 0, 1, 0,
//!   0, 0, 128, 0,
//!   0, 0, 255, 0,
//!   0, 0, 127, 0,
//!   0, 0, 0, 1,
//!   0, 0, 0, 128,
//!   0, 0, 0, 255,
//!   0, 0, 0, 127,
//!   109, 1, 67, 216,
//!   132, 150, 1, 188,
//!   255, 164, 102, 42]
//! image to = rgba8uint 5x3
//! in given = u32[0, 0, 0, 0,
//!   127, 128, 255, 65535,
//!   255, 65535, 1023, 4294967295,
//!   65535, 1024, 4294967295, 127,
//!   1023, 4294967295, 0, 1023,
//!   3, 300, 255, 77,
//!   4294967295, 127, 1023, 255,
//!   77, 256, 4294967295, 3,
//!   0, 1023, 0, 0,
//!   127, 4, 255, 65535,
//!   255, 77, 1023, 4294967295,
//!   65535, 1, 4294967295, 127,
//!   1023, 255, 0, 1023,
//!   3, 65536, 255, 77,
//!   4294967295, 3, 1023, 255]
//! out to = u32[0x00000000, 0xffff807f, 0xffffffff, 0x7fffffff, 0xff00ffff,
//!   0x4dffff03, 0xffff7fff, 0x03ffff4d, 0x0000ff00, 0xffff047f,
//!   0xffff4dff, 0x7fff01ff, 0xff00ffff, 0x4dffff03, 0xffff03ff]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<u32>>;
@group(0) @binding(2) var to: texture_storage_2d<rgba8uint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<u32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
