//! out b = u32[54, 53, 52, 51]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> n: u32;

fn next() -> u32 {
    n++;
    return n;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    n = id.x;
    var turns = 0u;
    while next() < 5 {
        turns++;
    }
    b[id.x] = n * 10 + turns;
}
