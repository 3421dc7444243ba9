//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = f32[15, 39.5, 64, 88.5, 4.5, 29, 53.5, 78, 102.5, 17.5, 42, 66.5, 91, 7, 31.5, 56, 80.5, 105]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

// The first column stays; the second is written to on both sides of the barrier.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let mine = f32(a[min(id.x, n - 1)]);
    var m = mat2x3f(mine, 1, 2, 3, 4, 5);
    m[1].y = mine;
    if id.x < n {
        b[id.x] = mine;
    }
    gridBarrier();
    let other = b[(id.x + 9) % n];
    m[1][1] += 2;
    m[1].z = other;
    gridBarrier();
    if id.x < n {
        b[id.x] = m[0].x + 2 * m[1].y + 0.5 * m[1].z;
    }
}
