var<immediate> x: u32;
var<immediate> y: u32; //~ error[invalid] more than 1 immediate
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = x + y;
}
