//! out b = u32[7, 3, 4, 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { x: u32, y: array<u32, 2> }
var<workgroup> w: S;
var<workgroup> a: atomic<u32>;

@compute @workgroup_size(1)
fn main() {
    w = S(7, array(3u, 4u));
    atomicStore(&a, 2u);
    workgroupBarrier(); // redundant
    let s = workgroupUniformLoad(&w);
    b[0] = s.x;
    b[1] = s.y[0];
    b[2] = workgroupUniformLoad(&w.y[1]);
    b[3] = workgroupUniformLoad(&a);
}
