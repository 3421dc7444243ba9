//! out b = u32[105, 106, 107, 108]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn bump(x: u32, v: vec2u) -> u32 {
    var copy = x;
    var pair = v;
    copy += 100;
    pair.x = 1000;
    return copy;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    var v = vec2u(5, 5);
    let bumped = bump(x, v);
    b[id.x] = bumped + x * 0 + v.x;
}
