//! steps 10000
//! grid 4
//! in b = u32[0 x 16]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn spin(n: u32) -> u32 {
    var k = n;
    for (; k != 7;) { //~ runtime-error[endless-loop]
        k = n;
    }
    return k;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = 7;
    if id.x == 9 {
        b[id.x] = spin(id.x);
    }
}
