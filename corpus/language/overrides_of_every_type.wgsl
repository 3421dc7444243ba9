//! out b = u32[1, 2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override flag = true;
override x: f32 = 2.5;
override y = x + 1;

@compute @workgroup_size(1)
fn main() {
    b[0] = select(0u, 1u, flag);
    b[1] = u32(x);
    b[2] = u32(y);
}
