//! out b = u32[8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> w: u32;
fn f(p: ptr<workgroup, u32>) -> u32 { return workgroupUniformLoad(p); }

@compute @workgroup_size(1)
fn main() {
    w = 8;
    b[0] = f(&w);
}
