//! out b = u32[1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
// line const y = 1; /* */

@compute @workgroup_size(1)
fn main() {
    /* a /* b */ c */ b[0] = 1;
    // x
}
