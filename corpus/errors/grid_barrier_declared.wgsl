//! grid 2
//! in b = u32[0 x 8]
// As if there were no barrier is not what the program means.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn gridBarrier() {}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = id.x;
    gridBarrier(); //~ runtime-error[unsupported] `gridBarrier` is not supported
    b[id.x] += b[7 - id.x];
}
