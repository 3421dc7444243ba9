// The bits of `rg16uint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = rg16uint 7x3
//! in photo = u32[0x00000000, 0xffffffff, 0x00000001, 0x00008000, 0x0000ffff, 0x00007fff, 0x00010000,
//!   0x80000000, 0xffff0000, 0x7fff0000, 0x3fb6f798, 0xd0b70604, 0x2585b0b8, 0x256c2c00,
//!   0x867b8bab, 0x98dc84b5, 0xf5bf2e56, 0xac8d6e6d, 0xfe841e43, 0xc83989e9, 0x3264c898]
//! out seen = u32[0, 0, 0, 1,
//!   65535, 65535, 0, 1,
//!   1, 0, 0, 1,
//!   32768, 0, 0, 1,
//!   65535, 0, 0, 1,
//!   32767, 0, 0, 1,
//!   0, 1, 0, 1,
//!   0, 32768, 0, 1,
//!   0, 65535, 0, 1,
//!   0, 32767, 0, 1,
//!   63384, 16310, 0, 1,
//!   1540, 53431, 0, 1,
//!   45240, 9605, 0, 1,
//!   11264, 9580, 0, 1,
//!   35755, 34427, 0, 1,
//!   33973, 39132, 0, 1,
//!   11862, 62911, 0, 1,
//!   28269, 44173, 0, 1,
//!   7747, 65156, 0, 1,
//!   35305, 51257, 0, 1,
//!   51352, 12900, 0, 1]
//! image to = rg16uint 5x3
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
//! out to = u32[0x00000000, 0x0080007f, 0xffff00ff, 0x0400ffff, 0xffff03ff,
//!   0x012c0003, 0x007fffff, 0x0100004d, 0x03ff0000, 0x0004007f,
//!   0x004d00ff, 0x0001ffff, 0x00ff03ff, 0xffff0003, 0x0003ffff]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<u32>>;
@group(0) @binding(2) var to: texture_storage_2d<rg16uint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<u32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
