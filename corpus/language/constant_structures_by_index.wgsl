//! out b = u32[5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct P { x: u32, y: u32 }
const T = array(P(1, 2), P(4, 5));

@compute @workgroup_size(1)
fn main() {
    var i = 1;
    b[0] = T[i].y;
}
