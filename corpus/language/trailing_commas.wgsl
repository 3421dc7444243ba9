//! out b = u32[6]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
fn f(a: u32, b: u32, c: u32,) -> u32 { var x: array<u32, 2,>; let v = vec2<f32,>(1, 2,); return a + b + c; }

@compute @workgroup_size(1, 1,)
fn main() {
    b[0] = f(1, 2, 3,);
}
