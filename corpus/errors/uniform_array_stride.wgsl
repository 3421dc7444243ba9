@group(0) @binding(0) var<storage, read_write> b: array<u32>;
// A uniform array needs elements 16 bytes apart.
@group(0) @binding(1) var<uniform> p: array<u32, 4>; //~ error[invalid]

@compute @workgroup_size(1)
fn main() {
    b[0] = p[0];
}
