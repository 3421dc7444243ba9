//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! in p = u32[1, 0, 7, 2]
//! out a = u32[25, 39, 22, 36, 19, 33, 16, 30, 44, 27, 41, 22, 36, 19, 33, 16, 30, 44]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
struct Plan {
    go: u32,
    skip: u32,
    step: u32,
    turns: u32,
}
@group(0) @binding(1) var<uniform> p: Plan;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var x = 0u;
    if p.go == 1 && p.turns > 1 {
        x = a[(id.x + p.step) % n];
        gridBarrier();
    } else {
        gridBarrier(); // redundant
        x = 99;
    }
    if p.skip == 1 || p.turns == 0 {
        x = 98;
        gridBarrier(); // redundant
    } else if p.turns == 2 {
        x += 1;
    }
    if id.x < n {
        a[id.x] += x;
    }
}
