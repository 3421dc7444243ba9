//! ours
//! out b = u32[0, 256, 5, 4294967295, 7]
//! finds out-of-bounds
// A `let` is a run-time value, whatever it is made of: an index may lie outside, a shift goes by
// the amount modulo the width, and a division by zero gives the dividend.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var y = array<u32, 4>(1u, 2u, 3u, 4u);
    let index = 4u;
    b[0] = y[index];
    let amount = 40u;
    b[1] = 1u << amount;
    let zero = 0u;
    b[2] = 5u / zero;
    let least = 0u;
    b[3] = least - 1u;
    let seven = 7u;
    {
        let index = seven;
        b[4] = index;
    }
}
