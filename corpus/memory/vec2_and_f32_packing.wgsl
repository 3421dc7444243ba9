//! in s = f32[1] pad[4] f32[2, 3] f32[4] pad[4] f32[5] pad[4] f32[6, 7] f32[8] pad[4]
//! out b = f32[1, 2, 3, 4, 5, 6, 7, 8]
struct Item {
    a: f32,      // 0
    b: vec2f,    // 8
    c: f32,      // 16
}                // 24
@group(0) @binding(0) var<storage> s: array<Item, 2>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) k: u32) {
    b[4 * k] = s[k].a;
    b[4 * k + 1] = s[k].b.x;
    b[4 * k + 2] = s[k].b[1];
    b[4 * k + 3] = s[k].c;
}
