//! threads 18
//! in a = u32[3, 10, 17, 24, 0, 7, 14, 21, 28, 4, 11, 18, 25, 1, 8, 15, 22, 29]
//! in limit = u32[3]
//! out a = u32[1099, 1093, 1118, 1112, 1106, 1131, 1125, 1119, 1113, 1107, 1101, 1126, 1118, 1110, 1133,
//!     1123, 1115, 1107]
//! out last = u32[3]
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<uniform> limit: u32;
@group(0) @binding(2) var<storage, read_write> last: u32;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var r = 0u;
    loop {
        if r == limit {
            break;
        }
        let other = a[(id.x + r + 1) % n];
        gridBarrier();
        if id.x < n {
            a[id.x] += other;
        }
        r++;
        gridBarrier();
    }
    if id.x < n {
        a[id.x] += 1000;
    }
    if id.x == 0 {
        last = r;
    }
}
