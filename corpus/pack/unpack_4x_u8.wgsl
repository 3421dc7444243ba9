//! grid 2
//! in x = u32[0x00000000, 0xffffffff, 0x80000000, 0x7fff7f7f, 0x80017f81, 0x12345678, 0xdeadbeef, 0x00ff00ff,
//!     0x3ceb3ffd, 0x97b75092, 0x8b529b4a, 0x21636369]
//! out y = u32[0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 128, 127, 127, 255, 127, 129, 127, 1, 128, 120, 86, 52, 18,
//!     239, 190, 173, 222, 255, 0, 255, 0, 253, 63, 235, 60, 146, 80, 183, 151, 74, 155, 82, 139, 105, 99, 99, 33]
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4u>;

// Four bytes.
@compute @workgroup_size(6)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = unpack4xU8(x[id.x]);
}
