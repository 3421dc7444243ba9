//! grid 2
//! in x = i32[1, -1, 127, -128, 0, 128, -129, 255, 256, 300, -300, 1000, 2147483647, -2147483648, 77, -77]
//! out y = u32[0x807fff01, 0xff7f8000, 0xe8d42c00, 0xb34d00ff]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// The low byte of each.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack4xI8(x[id.x]);
}
