// The bits of `r32sint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = r32sint 7x3
//! in photo = u32[0x00000000, 0xffffffff, 0x00000001, 0x80000000, 0xffffffff, 0x7fffffff, 0x9fdcb4ea,
//!   0x03e50f83, 0xf183027d, 0xceaec3e0, 0xba962f7b, 0xe36d8a2f, 0xf08574cf, 0xb0ea18e9,
//!   0x08eb7f8f, 0xc716e132, 0x60e9a9f8, 0x1c0dd89f, 0x6772b174, 0x6c83978e, 0x9918d5e2]
//! out seen = i32[0, 0, 0, 1,
//!   -1, 0, 0, 1,
//!   1, 0, 0, 1,
//!   -2147483648, 0, 0, 1,
//!   -1, 0, 0, 1,
//!   2147483647, 0, 0, 1,
//!   -1612925718, 0, 0, 1,
//!   65343363, 0, 0, 1,
//!   -243072387, 0, 0, 1,
//!   -827407392, 0, 0, 1,
//!   -1164562565, 0, 0, 1,
//!   -479360465, 0, 0, 1,
//!   -259689265, 0, 0, 1,
//!   -1326835479, 0, 0, 1,
//!   149651343, 0, 0, 1,
//!   -954801870, 0, 0, 1,
//!   1625926136, 0, 0, 1,
//!   470669471, 0, 0, 1,
//!   1735569780, 0, 0, 1,
//!   1820563342, 0, 0, 1,
//!   -1726425630, 0, 0, 1]
//! image to = r32sint 5x3
//! in given = i32[0, 0, 0, 0,
//!   -1, 127, 128, -129,
//!   128, -129, 32768, -2147483648,
//!   -129, -32768, -2147483648, 127,
//!   32768, -2147483648, 1, -32768,
//!   -32769, 0, -128, 0,
//!   -2147483648, 127, -32768, -129,
//!   -77, -129, 99, -2147483648,
//!   1, -32768, -1, 127,
//!   127, -2147483648, -129, -32768,
//!   -128, 0, -32769, 0,
//!   32767, 127, -77, -129,
//!   -32768, -129, 127, -2147483648,
//!   2147483647, -32768, 32767, 127,
//!   99, -2147483648, 2147483647, -32768]
//! out to = u32[0x00000000, 0xffffffff, 0x00000080, 0xffffff7f, 0x00008000,
//!   0xffff7fff, 0x80000000, 0xffffffb3, 0x00000001, 0x0000007f,
//!   0xffffff80, 0x00007fff, 0xffff8000, 0x7fffffff, 0x00000063]
@group(0) @binding(0) var photo: texture_2d<i32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<i32>>;
@group(0) @binding(2) var to: texture_storage_2d<r32sint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<i32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
