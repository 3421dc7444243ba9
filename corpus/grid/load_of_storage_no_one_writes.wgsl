//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[20, 48, 76, 104, 8, 36, 64, 92, 58, 24, 52, 80, 108, 8, 36, 64, 92, 58]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<private> unused: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = 2 * a[min(id.x, n - 1)];
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    let other = b[(id.x + 5) % n];
    gridBarrier();
    if id.x < n {
        b[id.x] = mine + other;
    }
}
