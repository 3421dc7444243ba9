//! grid 2
//! in i32_a = i32[1, -2, 3, -2147483648]
//! in i32_b = i32[5, 6, -7, 2147483647]
//! in u32_a = u32[1, 2, 3, 4294967295]
//! in u32_b = u32[5, 6, 7, 0]
//! in f32_a = f32[1.5, -2.5, 1e+30, 0]
//! in f32_b = f32[0.25, 8, -1e-30, 3]
//! out y = i32[5, 6, -7, 2147483647] u32[5, 6, 7, 0] f32[0.25, 8, -1e-30, 3] i32[1, -2, 3, -2147483648]
//!     u32[1, 2, 3, 4294967295] f32[1.5, -2.5, 1e+30, 0]
struct Row { i: vec4i, u: vec4u, f: vec3f, g: f32 }
@group(0) @binding(0) var<storage> i32_a: vec4i;
@group(0) @binding(1) var<storage> i32_b: vec4i;
@group(0) @binding(2) var<storage> u32_a: vec4u;
@group(0) @binding(3) var<storage> u32_b: vec4u;
@group(0) @binding(4) var<storage> f32_a: vec4f;
@group(0) @binding(5) var<storage> f32_b: vec4f;
@group(0) @binding(6) var<storage, read_write> y: array<Row>;

// One condition for the whole value: the second operand if it holds.
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3u) {
    let c = id.x == 0;
    y[id.x].i = select(i32_a, i32_b, c);
    y[id.x].u = select(u32_a, u32_b, c);
    y[id.x].f = select(f32_a.xyz, f32_b.xyz, c);
    y[id.x].g = select(f32_a.w, f32_b.w, c);
}
