//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[1420, 2162, 3904, 1546, 1102, 1844, 2586, 1228, 1970, 1526, 2268, 4010, 1452, 1008, 1750,
//!     2492, 1134, 1876]
struct Inner {
    pair: vec2u,
    large: bool,
}
struct Outer {
    first: u32,
    inner: array<Inner, 2>,
    last: vec3i,
}
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn make(x: u32) -> Outer {
    let inner = Inner(vec2u(x + 1, 2), x > 15);
    return Outer(x, array(inner, inner), vec3i(0, 0, 3 * i32(x)));
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let kept = make(a[min(id.x, n - 1)]);
    var changed = kept;
    changed.inner[1].pair.y = 0;
    if id.x < n {
        b[id.x] = kept.first;
    }
    gridBarrier();
    changed.inner[1].pair.y = b[(id.x + 6) % n];
    gridBarrier();
    let inner = kept.inner[id.x % 2];
    let sum = kept.first + inner.pair.x * inner.pair.y + u32(kept.last.z) + changed.inner[1].pair.y * 100;
    if id.x < n {
        b[id.x] = sum + select(0u, 1000u, changed.inner[0].large);
    }
}
