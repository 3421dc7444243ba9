//! grid 2
//! in x = u32[0x00000000, 0xffffffff, 0x80000000, 0x7fff7f7f, 0x80017f81, 0x12345678, 0xdeadbeef, 0x00ff00ff,
//!     0x3ceb3ffd, 0x97b75092, 0x8b529b4a, 0x21636369]
//! out y = i32[0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, -128, 127, 127, -1, 127, -127, 127, 1, -128, 120, 86, 52, 18,
//!     -17, -66, -83, -34, -1, 0, -1, 0, -3, 63, -21, 60, -110, 80, -73, -105, 74, -101, 82, -117, 105, 99, 99, 33]
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4i>;

// Four bytes with their signs.
@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack4xI8(x[id.x]);
}
