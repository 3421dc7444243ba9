// The bits of `rg8uint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = rg8uint 7x3
//! in photo = u32[0x00000000, 0x0000ffff, 0x00000001, 0x00000080, 0x000000ff, 0x0000007f, 0x00000100,
//!   0x00008000, 0x0000ff00, 0x00007f00, 0x0000c670, 0x00009594, 0x00009ea5, 0x00006ef9,
//!   0x0000d4ec, 0x0000c5fb, 0x00008d8f, 0x00002c6a, 0x0000ac50, 0x0000bd91, 0x0000d415]
//! out seen = u32[0, 0, 0, 1,
//!   255, 255, 0, 1,
//!   1, 0, 0, 1,
//!   128, 0, 0, 1,
//!   255, 0, 0, 1,
//!   127, 0, 0, 1,
//!   0, 1, 0, 1,
//!   0, 128, 0, 1,
//!   0, 255, 0, 1,
//!   0, 127, 0, 1,
//!   112, 198, 0, 1,
//!   148, 149, 0, 1,
//!   165, 158, 0, 1,
//!   249, 110, 0, 1,
//!   236, 212, 0, 1,
//!   251, 197, 0, 1,
//!   143, 141, 0, 1,
//!   106, 44, 0, 1,
//!   80, 172, 0, 1,
//!   145, 189, 0, 1,
//!   21, 212, 0, 1]
//! image to = rg8uint 5x3
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
//! out to = u32[0x00000000, 0x0000807f, 0x0000ffff, 0x0000ffff, 0x0000ffff,
//!   0x0000ff03, 0x00007fff, 0x0000ff4d, 0x0000ff00, 0x0000047f,
//!   0x00004dff, 0x000001ff, 0x0000ffff, 0x0000ff03, 0x000003ff]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<u32>>;
@group(0) @binding(2) var to: texture_storage_2d<rg8uint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<u32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
