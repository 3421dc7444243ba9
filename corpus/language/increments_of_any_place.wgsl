//! out b = u32[2, 4, 0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { x: u32 }

@compute @workgroup_size(1)
fn main() {
    var s = S(1);
    s.x++;
    b[0] = s.x;
    var a = array(5u, 1u);
    let p = &a[0];
    (*p)--;
    b[1] = a[0];
    a[1]--;
    b[2] = a[1];
}
