//! grid 3
//! out b = u32[6 x 12]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> n = 5u;
var<private> zero: vec4u;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    n++;
    zero.x += n;
    b[id.x] = zero.x;
}
