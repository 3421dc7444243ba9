//! out b = u32[7, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
const a = c + 1;
const c = d * 2;
const d = 3;
var<private> p = x;
const x = 5u;

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(a);
    b[1] = p;
}
