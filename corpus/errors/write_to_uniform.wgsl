@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<uniform> p: vec4u;

@compute @workgroup_size(1)
fn main() {
    p.x = b[0]; //~ error[invalid]
}
