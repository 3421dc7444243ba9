//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[52, 59, 66, 42, 49, 56, 63, 70, 46, 53, 60, 67, 43, 50, 57, 64, 71, 45]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
struct Start {
    x: u32,
    y: vec2u,
}
var<private> start: Start = Start(40, vec2u(1, 2));

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    if id.x < n {
        b[id.x] = a[id.x];
    }
    gridBarrier();
    let next = b[(id.x + 1) % n];
    gridBarrier();
    if id.x < n {
        b[id.x] = start.x + start.y.y + next;
    }
}
