//! grid 3
//! out b = u32[0 x 12]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var items: array<u32, 8>;
    var n: u32;
    let before = n + items[3];
    n = 7;
    for (var k = 0; k < 8; k++) {
        items[k] = 9;
    }
    b[id.x] = before + (n - 7) + (items[3] - 9);
}
