//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out a = u32[290, 30, 100, 170, 240, 0, 70, 140, 210, 280, 40, 110, 180, 250, 10, 80, 150, 220]
//! out b = u32[3290, 10030, 17100, 24170, 240, 7000, 14070, 21140, 28210, 4280, 11040, 18110, 25180, 1250,
//!     8010, 15080, 22150, 29220]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

// `before` is what stood there then, not what stands there now.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    let inside = id.x < n;
    let before = a[min(id.x, n - 1)];
    gridBarrier();
    if inside {
        a[(id.x + 1) % n] = before * 10;
    }
    gridBarrier();
    if inside {
        b[id.x] = before * 1000 + a[id.x];
    }
}
