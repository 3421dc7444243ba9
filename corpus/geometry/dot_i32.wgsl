//! grid 2
//! in a = i32[1, 2, 3, 4, 2147483647, 2, -2147483648, 1, 527858757, 1038467225, 1904202612, 639840853, 1721854523,
//!     -1661267722, -1088461400, 187951464]
//! in b = i32[5, -6, 7, 8, 2, 2147483647, 3, 1, 317574981, -1216636254, -947116003, 1141282117, 1276236631,
//!     504454731, -1603314586, 1595171242]
//! out y = i32[-7, 14, 46, -4, 2147483644, 2147483645, 2031039595, 486819983, -1563798920, -1619851489, 576055311,
//!     308236063]
@group(0) @binding(0) var<storage> a: array<vec4i>;
@group(0) @binding(1) var<storage> b: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> y: array<array<i32, 3>>;

// Products and sums wrap around.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let p = a[id.x];
    let q = b[id.x];
    y[id.x] = array(dot(p.xy, q.xy), dot(p.xyz, q.xyz), dot(p, q));
}
