//! out b = u32[12, 23, 34, 45]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Pair {
    first: u32,
    second: u32,
}

fn swap(p: ptr<function, Pair>) {
    let first = (*p).first;
    p.first = p.second;
    (*p).second = first;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var pair = Pair(id.x + 2, id.x + 1);
    swap(&pair);
    b[id.x] = pair.first * 10 + pair.second;
}
