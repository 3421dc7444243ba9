//! out b = u32[3, 2, 1, 0, 4, 3, 2, 1, 5, 4, 3, 2, 6, 5, 4, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn reverse(items: array<u32, 4>) -> array<u32, 4> {
    var result: array<u32, 4>;
    for (var k = 0u; k < 4; k++) {
        result[k] = items[3 - k];
    }
    return result;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let items = array(id.x, id.x + 1, id.x + 2, id.x + 3);
    let reversed = reverse(items);
    for (var k = 0u; k < 4; k++) {
        b[4 * id.x + k] = reversed[k];
    }
}
