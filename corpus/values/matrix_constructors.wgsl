//! out b = f32[1, 2, 3, 4, 1, 2, 3, 4, 1, 3, 2, 4, 0, 0, 0, 0]
@group(0) @binding(0) var<storage, read_write> b: array<mat2x2f>;

@compute @workgroup_size(1)
fn main() {
    b[0] = mat2x2f(1, 2, 3, 4);
    b[1] = mat2x2<f32>(vec2f(1, 2), vec2f(3, 4));
    b[2] = transpose(mat2x2f(1, 2, 3, 4));
    b[3] = mat2x2f();
}
