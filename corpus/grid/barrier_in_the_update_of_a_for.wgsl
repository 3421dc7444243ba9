//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[205, 224, 243, 231, 219, 238, 226, 245, 231, 217, 234, 249, 233, 217, 232, 216, 233, 219]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

fn meet(r: ptr<function, u32>) {
    gridBarrier();
    *r += 1;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    for (var r = 0u; r < 4; meet(&r)) {
        let other = a[(id.x + r + 1) % n];
        gridBarrier();
        if id.x < n {
            a[id.x] += other;
        }
    }
}
