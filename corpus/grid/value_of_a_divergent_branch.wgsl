//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[20103, 117020, 48117, 48, 107000, 28107, 121028, 56121, 8056, 111008, 36111, 125036, 101125,
//!     16101, 115016, 44115, 129044, 103129]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = a[min(id.x, n - 1)];
    var x: u32;
    if mine % 2 == 0 {
        x = mine * 2;
    } else {
        x = mine + 100;
    }
    if id.x < n {
        b[id.x] = x;
    }
    gridBarrier();
    let next = b[(id.x + 1) % n];
    gridBarrier();
    if id.x < n {
        b[id.x] = x + next * 1000;
    }
}
