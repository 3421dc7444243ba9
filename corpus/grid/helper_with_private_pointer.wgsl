//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[27, 10, 24, 38, 21, 35, 18, 32, 46, 29, 12, 26, 40, 23, 37, 18, 32, 46]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
var<private> sum: u32;

fn add(i: u32, to: ptr<private, u32>) {
    *to += a[(i + 3) % arrayLength(&a)];
    gridBarrier();
    *to += 1;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    sum = a[min(id.x, n - 1)];
    add(id.x, &sum);
    if id.x < n {
        a[id.x] = sum - 1;
    }
}
