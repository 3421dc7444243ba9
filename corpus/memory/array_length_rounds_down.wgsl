//! in s = u32[0] pad[12] u32[1, 2, 3, 4] pad[12]
//! in v = u32[0..9] pad[2]
//! in w = (f32[0, 0, 0] pad[4]) x 3
//! out b = u32[1, 9, 3, 4]
struct List {
    head: u32,
    @align(16) items: array<vec4u>,
}
@group(0) @binding(0) var<storage> s: List;
@group(0) @binding(1) var<storage> v: array<u32>;
@group(0) @binding(2) var<storage> w: array<vec3f>;
@group(0) @binding(3) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = arrayLength(&s.items);
    b[1] = arrayLength(&v);
    let p = &w;
    b[2] = arrayLength(p);
    b[3] = arrayLength(&b);
}
