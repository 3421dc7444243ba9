//! out b = u32[0, 1, 99, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    var items = array(0u, 1u, 2u, 3u);
    var k = 2u;
    let p = &items[k];
    k = 0;
    *p = 99;
    for (k = 0; k < 4; k++) {
        b[k] = items[k];
    }
}
