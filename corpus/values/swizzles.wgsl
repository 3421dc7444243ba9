//! out b = u32[4, 3, 2, 1, 1, 1, 2, 2, 2, 4, 1, 3, 3, 2, 1, 3]
@group(0) @binding(0) var<storage, read_write> b: array<vec4u>;

@compute @workgroup_size(1)
fn main() {
    let v = vec4u(1, 2, 3, 4);
    b[0] = v.wzyx;
    b[1] = v.xxyy;
    b[2] = v.yxwz.xzyw;
    b[3] = vec4u(v.rgb.bgr, v.xyz.z);
}
