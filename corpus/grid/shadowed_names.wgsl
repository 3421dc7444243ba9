//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! out b = u32[24308, 1022, 8736, 16450, 21002, 28716, 5430, 13144, 20858, 25410, 2124, 9838, 17552, 22104,
//!     29818, 4532, 12246, 19960]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    let x = a[min(id.x, n - 1)];
    var sum = 0u;
    {
        let x = x + 1;
        {
            var x = x * 2;
            if id.x < n {
                b[id.x] = a[id.x];
            }
            gridBarrier();
            x += 1000 * b[(id.x + 3) % n];
            gridBarrier();
            sum += x;
        }
        let n = 0u;
        sum += x * n;
    }
    if id.x < n {
        b[id.x] = x * 100 + sum;
    }
}
