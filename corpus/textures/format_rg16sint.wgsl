// The bits of `rg16sint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = rg16sint 7x3
//! in photo = u32[0x00000000, 0xffffffff, 0x00000001, 0x00008000, 0x0000ffff, 0x00007fff, 0x00010000,
//!   0x80000000, 0xffff0000, 0x7fff0000, 0x5d89a26c, 0x397b3008, 0x4bc94b64, 0x9e9f287c,
//!   0xbc913df8, 0x10687e4f, 0x078afa52, 0x1edf688b, 0x3a203f9e, 0xefc43cc4, 0x7ea1f1cf]
//! out seen = i32[0, 0, 0, 1,
//!   -1, -1, 0, 1,
//!   1, 0, 0, 1,
//!   -32768, 0, 0, 1,
//!   -1, 0, 0, 1,
//!   32767, 0, 0, 1,
//!   0, 1, 0, 1,
//!   0, -32768, 0, 1,
//!   0, -1, 0, 1,
//!   0, 32767, 0, 1,
//!   -23956, 23945, 0, 1,
//!   12296, 14715, 0, 1,
//!   19300, 19401, 0, 1,
//!   10364, -24929, 0, 1,
//!   15864, -17263, 0, 1,
//!   32335, 4200, 0, 1,
//!   -1454, 1930, 0, 1,
//!   26763, 7903, 0, 1,
//!   16286, 14880, 0, 1,
//!   15556, -4156, 0, 1,
//!   -3633, 32417, 0, 1]
//! image to = rg16sint 5x3
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
//! out to = u32[0x00000000, 0x007fffff, 0xff7f0080, 0x8000ff7f, 0x80007fff,
//!   0x00008000, 0x007f8000, 0xff7fffb3, 0x80000001, 0x8000007f,
//!   0x0000ff80, 0x007f7fff, 0xff7f8000, 0x80007fff, 0x80000063]
@group(0) @binding(0) var photo: texture_2d<i32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<i32>>;
@group(0) @binding(2) var to: texture_storage_2d<rg16sint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<i32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
