//! grid 5
//! out b = u32[105005, 105008, 105011, 105138, 105141, 105144, 105071, 105074, 105077, 105204, 105207,
//!     105210, 105137, 105140, 105143]
struct Shared {
    first: u32,
    rest: array<u32, 3>,
    pair: vec2u,
    odd: bool,
}
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> kept: Shared;

@compute @workgroup_size(3)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = group.x * 3 + local;
    if local == 2 {
        kept.first = group.x * 10 + 1;
        kept.pair = vec2u(9, group.x * 10 + 2);
        kept.odd = group.x % 2 == 1;
        b[i] = kept.first;
    }
    kept.rest[local] = local + group.x;
    gridBarrier();
    var all = 0u;
    for (var g = 0u; g < 5; g++) {
        all += b[3 * g + 2];
    }
    gridBarrier();
    b[i] = kept.first + 2 * kept.pair.y + 3 * kept.rest[local] + select(0u, 100u, kept.odd) + 1000 * all;
}
