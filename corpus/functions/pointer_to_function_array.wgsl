//! out b = u32[13, 14, 15, 16]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn fill(p: ptr<function, array<u32, 4>>, first: u32) {
    (*p)[0] = first;
    for (var k = 1u; k < 4; k++) {
        p[k] = k - 1;
    }
}

fn total(p: ptr<function, array<u32, 4>>) -> u32 {
    return p[0] + p[1] + p[2] + p[3];
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var items: array<u32, 4>;
    fill(&items, id.x + 10);
    b[id.x] = total(&items);
}
