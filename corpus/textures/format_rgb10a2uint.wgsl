// The bits of `rgb10a2uint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = rgb10a2uint 7x3
//! in photo = u32[0x00000000, 0xffffffff, 0x00000001, 0x00000200, 0x000003ff, 0x000001ff, 0x00000400,
//!   0x00080000, 0x000ffc00, 0x0007fc00, 0x00100000, 0x20000000, 0x3ff00000, 0x1ff00000,
//!   0x40000000, 0x80000000, 0xc0000000, 0x40000000, 0x99279b37, 0x3994a73c, 0x84996b91]
//! out seen = u32[0, 0, 0, 0,
//!   1023, 1023, 1023, 3,
//!   1, 0, 0, 0,
//!   512, 0, 0, 0,
//!   1023, 0, 0, 0,
//!   511, 0, 0, 0,
//!   0, 1, 0, 0,
//!   0, 512, 0, 0,
//!   0, 1023, 0, 0,
//!   0, 511, 0, 0,
//!   0, 0, 1, 0,
//!   0, 0, 512, 0,
//!   0, 0, 1023, 0,
//!   0, 0, 511, 0,
//!   0, 0, 0, 1,
//!   0, 0, 0, 2,
//!   0, 0, 0, 3,
//!   0, 0, 0, 1,
//!   823, 486, 402, 2,
//!   828, 297, 921, 0,
//!   913, 602, 73, 2]
//! image to = rgb10a2uint 5x3
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
//! out to = u32[0x00000000, 0xcff2007f, 0xfffffcff, 0xffffffff, 0xc00fffff,
//!   0xcff4b003, 0xfff1ffff, 0xfff4004d, 0x000ffc00, 0xcff0107f,
//!   0xfff134ff, 0xfff007ff, 0xc003ffff, 0xcffffc03, 0xfff00fff]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<u32>>;
@group(0) @binding(2) var to: texture_storage_2d<rgb10a2uint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<u32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
