//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
struct S { a: u32, };
;
const x = 1;
;

@compute @workgroup_size(1)
fn main() {
    ;
    ;
    b[0] = 1;
    ;
    ;
}
