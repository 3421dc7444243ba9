@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let x = 1i;
    b[0] = id.x + x; //~ error[invalid]
}
