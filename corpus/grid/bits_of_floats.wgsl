//! grid 3
//! in x = f32[0x80000000, 0x3f800001, 0x7f7fffff, 0xff7fffff, 0, 0x42280000]
//! out y = u32[0x80000000, 0x3f800001, 0x7f7fffff, 0xff7fffff, 0, 0x42280000, 0x42280000, 0, 0xff7fffff,
//!     0x7f7fffff, 0x3f800001, 0x80000000]
@group(0) @binding(0) var<storage> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

// Whatever a float's bits are, minus zero among them, they come through.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let mine = x[id.x];
    y[id.x] = bitcast<u32>(mine);
    gridBarrier();
    let mirrored = bitcast<f32>(y[5 - id.x]);
    gridBarrier(); // redundant
    y[id.x] = bitcast<u32>(mine);
    y[6 + id.x] = bitcast<u32>(mirrored);
}
