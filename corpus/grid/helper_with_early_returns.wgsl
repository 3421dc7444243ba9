//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[146, 146, 150, 150, 88, 150, 150, 150, 150, 150, 150, 150, 150, 88, 150, 150, 146, 146]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn pick(i: u32, k: u32) -> u32 {
    let n = arrayLength(&a);
    if k == 1 {
        return 7;
    }
    if k == 3 {
        let x = a[n - 1 - min(i, n - 1)];
        gridBarrier();
        return x;
    }
    let x = a[(i + k) % n];
    gridBarrier();
    return x;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    for (var k = 0u; k < 4; k++) {
        let x = pick(id.x, k);
        if id.x < n {
            a[id.x] += x;
        }
        gridBarrier();
    }
}
