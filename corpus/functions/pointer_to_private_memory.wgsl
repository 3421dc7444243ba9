//! grid 2
//! out b = u32[6, 7, 8, 9, 10, 11, 12, 13]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> count: u32 = 1;

fn add(p: ptr<private, u32>, n: u32) -> u32 {
    *p += n;
    return *p;
}

fn step() {
    count += 2;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    _ = add(&count, id.x);
    step();
    _ = add(&count, 3);
    b[id.x] = count;
}
