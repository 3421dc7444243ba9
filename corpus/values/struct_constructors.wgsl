//! out s = u32[1] pad[12] f32[2, 3, 4] pad[4] i32[5, 6] u32[7] pad[4]
struct Inner {
    x: i32,
    y: i32,
}
struct Outer {
    a: u32,
    b: vec3f,
    @align(16) c: Inner,
    d: u32,
}
@group(0) @binding(0) var<storage, read_write> s: Outer;

@compute @workgroup_size(1)
fn main() {
    s = Outer(1, vec3f(2, 3, 4), Inner(5, 6), 7);
}
