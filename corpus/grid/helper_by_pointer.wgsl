//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[9, 58, 107, 156, 112, 37, 86, 135, 184, 16, 65, 114, 163, 119, 36, 85, 134, 183]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
struct Pair {
    x: u32,
    list: array<u32, 2>,
}

// Written to through pointers on both sides of the barrier.
fn take(i: u32, pair: ptr<function, Pair>, sum: ptr<function, u32>) {
    (*pair).list[1] = a[(i + 4) % arrayLength(&a)];
    gridBarrier();
    (*pair).x = 3;
    *sum += (*pair).list[1];
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var sum = a[min(id.x, n - 1)];
    var pair: Pair;
    take(id.x, &pair, &sum);
    if id.x < n {
        a[id.x] = sum * pair.x + pair.list[1];
    }
}
