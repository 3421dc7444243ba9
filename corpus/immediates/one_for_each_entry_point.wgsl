//! entry second
//! in y = f32[4]
//! out b = u32[16]
var<immediate> x: u32;
var<immediate> y: f32;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn first() {
    b[0] = x;
}

@compute @workgroup_size(1)
fn second() {
    b[0] = u32(y * y);
}
