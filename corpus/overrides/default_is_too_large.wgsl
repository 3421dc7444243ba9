//! set n = 4
//! out b = u32[7, 4]
// The default of an override does not matter where the caller sets another value.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
override n = 4194304*1000;
override huge = 4194304u*1000u;
var<workgroup> a: array<u32, n>;

@compute @workgroup_size(1)
fn main() {
    a[3] = 7u;
    b[0] = a[3];
    b[1] = u32(n);
}
