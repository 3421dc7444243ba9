// The bits of `rgba16uint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = rgba16uint 7x3
//! in photo = u32[0x00000000, 0x00000000, 0xffffffff, 0xffffffff, 0x00000001, 0x00000000, 0x00008000,
//!   0x00000000, 0x0000ffff, 0x00000000, 0x00007fff, 0x00000000, 0x00010000, 0x00000000,
//!   0x80000000, 0x00000000, 0xffff0000, 0x00000000, 0x7fff0000, 0x00000000, 0x00000000,
//!   0x00000001, 0x00000000, 0x00008000, 0x00000000, 0x0000ffff, 0x00000000, 0x00007fff,
//!   0x00000000, 0x00010000, 0x00000000, 0x80000000, 0x00000000, 0xffff0000, 0x00000000,
//!   0x7fff0000, 0x52c7c463, 0xb8e47b7d, 0xe1d670db, 0x07cb9775, 0x7ec2ea60, 0x24840973]
//! out seen = u32[0, 0, 0, 0,
//!   65535, 65535, 65535, 65535,
//!   1, 0, 0, 0,
//!   32768, 0, 0, 0,
//!   65535, 0, 0, 0,
//!   32767, 0, 0, 0,
//!   0, 1, 0, 0,
//!   0, 32768, 0, 0,
//!   0, 65535, 0, 0,
//!   0, 32767, 0, 0,
//!   0, 0, 1, 0,
//!   0, 0, 32768, 0,
//!   0, 0, 65535, 0,
//!   0, 0, 32767, 0,
//!   0, 0, 0, 1,
//!   0, 0, 0, 32768,
//!   0, 0, 0, 65535,
//!   0, 0, 0, 32767,
//!   50275, 21191, 31613, 47332,
//!   28891, 57814, 38773, 1995,
//!   60000, 32450, 2419, 9348]
//! image to = rgba16uint 5x3
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
//! out to = u32[0x00000000, 0x00000000, 0x0080007f, 0xffff00ff, 0xffff00ff,
//!   0xffff03ff, 0x0400ffff, 0x007fffff, 0xffff03ff, 0x03ff0000,
//!   0x012c0003, 0x004d00ff, 0x007fffff, 0x00ff03ff, 0x0100004d,
//!   0x0003ffff, 0x03ff0000, 0x00000000, 0x0004007f, 0xffff00ff,
//!   0x004d00ff, 0xffff03ff, 0x0001ffff, 0x007fffff, 0x00ff03ff,
//!   0x03ff0000, 0xffff0003, 0x004d00ff, 0x0003ffff, 0x00ff03ff]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<u32>>;
@group(0) @binding(2) var to: texture_storage_2d<rgba16uint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<u32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
