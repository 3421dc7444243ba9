//! grid 3
//! in a = u32[0x00000000, 0xffffffff, 0x80000000, 0x7fff7f7f, 0x80017f81, 0x12345678, 0xdeadbeef, 0x00ff00ff,
//!     0x3ceb3ffd, 0x97b75092, 0x8b529b4a, 0x21636369]
//! in b = u32[0xffffffff, 0x01020304, 0x80808080, 0x7f807f80, 0x00000001, 0xfedcba98, 0x80808080, 0x11111111,
//!     0x5eb561a4, 0xea7b5bf5, 0x9a9a80fd, 0x795b929e]
//! out signed = i32[0, -10, 16384, 16130, -127, -20408, 25600, -34, 13602, 1821, 16276, -8178]
//! out unsigned = u32[0, 2550, 16384, 81154, 129, 50248, 105472, 8670, 95778, 100893, 72596, 44046]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> signed: array<i32>;
@group(0) @binding(3) var<storage, read_write> unsigned: array<u32>;

// Four products of bytes, summed.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    signed[id.x] = dot4I8Packed(a[id.x], b[id.x]);
    unsigned[id.x] = dot4U8Packed(a[id.x], b[id.x]);
}
