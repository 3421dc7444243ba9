//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[436, 470, 442, 478, 450, 422, 458, 492, 464, 436, 470, 442, 478, 450, 422, 458, 492, 464]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var r = 1u;
    while r < n {
        let other = a[(id.x + r + 1) % n];
        gridBarrier();
        if id.x < n {
            a[id.x] += other;
        }
        gridBarrier();
        r *= 2;
    }
}
