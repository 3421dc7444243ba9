//! out b = u32[3, 6, 9, 12]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn triple(p: ptr<function, u32>) {
    *p *= 3;
    add(p, 1);
}

fn add(p: ptr<function, u32>, n: u32) {
    *p = *p + n;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    triple(&x);
    let q = &x;
    *q += 2;
    b[id.x] = x;
}
