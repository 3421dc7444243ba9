//! grid 2
//! in x = u32[0x00000001, 0x000000ff, 0x00000100, 0x00000000, 0x00000080, 0x00000101, 0x000003e8, 0x0000004d,
//!     0xffffffff, 0x80000000, 0x000000fe, 0x0000ffff, 0x0000000c, 0x00000022, 0x00000038, 0x0000004e]
//! out y = u32[0x0000ff01, 0x4de80180, 0xfffe00ff, 0x4e38220c]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// The low byte of each.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack4xU8(x[id.x]);
}
