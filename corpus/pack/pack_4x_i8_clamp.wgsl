//! grid 2
//! in x = i32[1, -1, 127, -128, 0, 128, -129, 255, 256, 300, -300, 1000, 2147483647, -2147483648, 77, -77]
//! out y = u32[0x807fff01, 0x7f807f00, 0x7f807f7f, 0xb34d807f]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// Held between -128 and 127.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    y[id.x] = pack4xI8Clamp(x[id.x]);
}
