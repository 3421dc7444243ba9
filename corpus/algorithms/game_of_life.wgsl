//! grid 3,2
//! in a = u32[0, 1, 0, 0, 1, 0, 1, 0, 1 x 4, 0, 0, 0, 1, 0, 1, 0 x 6, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1,
//!     0 x 6, 1, 0 x 7, 1, 0 x 4, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0 x 4, 1, 0, 1, 0, 1,
//!     0, 1, 0, 0, 1, 0, 1, 1, 0 x 5]
//! out b = u32[1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0 x 6, 1, 1, 0, 0, 1 x 8, 0, 0, 0, 1 x 4, 0, 1, 0,
//!     1, 1, 1, 0 x 11, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0 x 5, 1,
//!     0, 1, 0, 1, 0, 1, 0, 0, 0]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

const SIZE = vec2u(12, 8);

fn cell(at: vec2u) -> u32 {
    let wrapped = (at + SIZE) % SIZE;
    return a[wrapped.y * SIZE.x + wrapped.x];
}

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var around = 0u;
    for (var y = 0u; y < 3; y++) {
        for (var x = 0u; x < 3; x++) {
            // Wraps below zero; `cell` adds the size again.
            around += cell(id.xy + vec2u(x, y) - 1);
        }
    }
    let alive = cell(id.xy);
    around -= alive;
    b[id.y * SIZE.x + id.x] = u32(around == 3 || (alive == 1 && around == 2));
}
