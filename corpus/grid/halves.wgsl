//! threads 18
//! in x = f16[0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
//! out y = f16[1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25, 8.25, 7, 1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25,
//!     8.25, 7]
enable f16;

@group(0) @binding(0) var<storage> x: array<f16>;
@group(0) @binding(1) var<storage, read_write> y: array<f16>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&y);
    let mine = x[min(id.x, n - 1)];
    let pair = vec3h(mine, 1, 2);
    var list = array<f16, 3>(mine, 0, 0);
    if id.x < n {
        y[id.x] = mine;
    }
    gridBarrier();
    list[2] = y[(id.x + 1) % n];
    gridBarrier();
    if id.x < n {
        y[id.x] = pair.x * pair.z + list[2] + list[0] + pair.y;
    }
}
