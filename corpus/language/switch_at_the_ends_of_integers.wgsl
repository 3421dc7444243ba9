//! out b = u32[4, 9]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var i = -3;
    switch i { case -3 { b[0] = 4; } default {} }
    var u = 0xffffffffu;
    switch u { case 0xffffffff { b[1] = 9; } default {} }
}
