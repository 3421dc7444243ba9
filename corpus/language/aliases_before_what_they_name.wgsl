//! out b = u32[3, 7]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
alias Grid = array<Cell, N>;
const N = 2;
alias Cell = Pair;
struct Pair { x: F, y: F }
alias F = Real;
alias Real = f32;

@compute @workgroup_size(1)
fn main() {
    var x: Grid;
    x[1].y = 3;
    b[0] = u32(x[1].y);
    var y: F = 7.5;
    b[1] = u32(y);
}
