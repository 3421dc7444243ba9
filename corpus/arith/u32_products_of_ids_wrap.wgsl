// Four times a factor above 2^31: neighbours differ by far more than 64 bits could count.
//! grid 2
//! out products = u32[0x00000000, 0x1f76bcc1, 0x3eed7982, 0x5e643643, 0x7ddaf304, 0x9d51afc5,
//!     0xbcc86c86, 0xdc3f2947, 0xfbb5e608, 0x1b2ca2c9, 0x3aa35f8a, 0x5a1a1c4b,
//!     0x7990d90c, 0x990795cd, 0xb87e528e, 0xd7f50f4f, 0xf76bcc10, 0x16e288d1]
//! out shifts = u32[0x00000000, 0x00000002, 0x00000004, 0x00000006, 0x00000008, 0x0000000a,
//!     0x0000000c, 0x0000000e, 0x00000010, 0x00000012, 0x00000014, 0x00000016,
//!     0x00000018, 0x0000001a, 0x0000001c, 0x0000001e, 0x00000020, 0x00000022]
@group(0) @binding(0) var<storage, read_write> products: array<u32>;
@group(0) @binding(1) var<storage, read_write> shifts: array<u32>;

const FACTOR = 0x9e3779b1u;

@compute @workgroup_size(9)
fn main(@builtin(global_invocation_id) id: vec3u) {
    products[id.x] = id.x * FACTOR * FACTOR * FACTOR * FACTOR;
    var one = 33u;
    shifts[id.x] = ((id.x << 31) << 1) + (id.x << one);
}
