//! steps 10000
//! in b = u32[0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var k = 0u;
    while k < 10 { //~ runtime-error[endless-loop]
        k = k % 5 + 1;
    }
    b[0] = k;
}
