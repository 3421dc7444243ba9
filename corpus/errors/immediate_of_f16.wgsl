enable f16;
var<immediate> x: vec2h; //~ error[invalid] immediates hold no `f16`
@group(0) @binding(0) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = f32(x.x);
}
