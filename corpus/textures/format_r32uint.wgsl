// The bits of `r32uint` as numbers, and numbers as its bits.
//! threads 7,3
//! image photo = r32uint 7x3
//! in photo = u32[0x00000000, 0xffffffff, 0x00000001, 0x80000000, 0xffffffff, 0x7fffffff, 0x747656d6,
//!   0x677b6d61, 0xf3b76857, 0x766d410c, 0x7089fc2f, 0x58376a43, 0xf99a18e4, 0xa25f67f1,
//!   0xe82b5f7c, 0xa3091318, 0xd544076e, 0x8ba2385f, 0xc96ef4f1, 0x26f161bf, 0xbed7d59e]
//! out seen = u32[0, 0, 0, 1,
//!   4294967295, 0, 0, 1,
//!   1, 0, 0, 1,
//!   2147483648, 0, 0, 1,
//!   4294967295, 0, 0, 1,
//!   2147483647, 0, 0, 1,
//!   1953912534, 0, 0, 1,
//!   1736142177, 0, 0, 1,
//!   4088883287, 0, 0, 1,
//!   1986871564, 0, 0, 1,
//!   1888091183, 0, 0, 1,
//!   1480026691, 0, 0, 1,
//!   4187625700, 0, 0, 1,
//!   2724161521, 0, 0, 1,
//!   3895156604, 0, 0, 1,
//!   2735280920, 0, 0, 1,
//!   3578005358, 0, 0, 1,
//!   2342664287, 0, 0, 1,
//!   3379492081, 0, 0, 1,
//!   653353407, 0, 0, 1,
//!   3201815966, 0, 0, 1]
//! image to = r32uint 5x3
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
//! out to = u32[0x00000000, 0x0000007f, 0x000000ff, 0x0000ffff, 0x000003ff,
//!   0x00000003, 0xffffffff, 0x0000004d, 0x00000000, 0x0000007f,
//!   0x000000ff, 0x0000ffff, 0x000003ff, 0x00000003, 0xffffffff]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<vec4<u32>>;
@group(0) @binding(2) var to: texture_storage_2d<r32uint, write>;
@group(0) @binding(3) var<storage> given: array<vec4<u32>>;

@compute @workgroup_size(4, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < 7 && id.y < 3 { seen[id.y * 7 + id.x] = textureLoad(photo, id.xy, 0); }
    if id.x < 5 && id.y < 3 { textureStore(to, id.xy, given[id.y * 5 + id.x]); }
}
