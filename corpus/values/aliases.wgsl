//! out b = f32[10, 20, 30, 40]
alias Scalar = f32;
alias Row = vec4<Scalar>;
alias Rows = array<Row, 1>;
@group(0) @binding(0) var<storage, read_write> b: Rows;

@compute @workgroup_size(1)
fn main() {
    b[0] = Row(1, 2, 3, 4) * Scalar(10);
}
