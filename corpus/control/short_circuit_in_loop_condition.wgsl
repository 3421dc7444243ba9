//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[8, 1, 6, 0, 2, 4, 7, 8]
const DIGITS = array(3u, 1u, 4u, 1u, 5u, 9u, 2u, 6u);

@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var k = 0u;
    while k < 8 && DIGITS[k] != a[id.x] {
        k++;
    }
    b[id.x] = k;
}
