@group(0) @binding(0) var<storage, read_write> b: array<f32>;
var<immediate> table: array<vec4f, 17>; //~ error[too-large] `table` takes 272 bytes of immediates

@compute @workgroup_size(1)
fn main() {
    b[0] = table[0].x;
}
