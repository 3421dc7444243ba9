//! out b = u32[1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9, 1, 2, 3, 7, 6, 1, 2, 9]
@group(0) @binding(0) var<storage, read_write> b: array<vec4u>;

@compute @workgroup_size(1)
fn main() {
    let pair = vec2u(1, 2);
    let three = vec3<u32>(pair, 3);
    b[0] = vec4(1u, 2, 3, 4);
    b[1] = vec4u(5);
    b[2] = vec4(vec2u(6, 7), vec2(8u, 9));
    b[3] = vec4(three, 7);
    b[4] = vec4(6, pair, 9);
}
