//! threads 21
//! in b = u32[77 x 24]
//! out b = u32[100220, 100108, 100114, 100008, 352, 352, 100232, 100120, 100120, 100014, 376, 252, 100244, 100132,
//!     100126, 100020, 252, 276, 256, 100144, 100132, 77 x 3]
// The jump back stands at the end of the body, and some lanes leave from within a branch before it.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 21 {
        return;
    }
    var turns = 0u;
    var n = id.x;
    loop {
        if n > 40 {
            break;
        }
        if n % 2 == 0 {
            n = n + 7;
        } else {
            if n % 3 == 0 {
                turns += 1000;
                break;
            }
            n = n * 2 + 1;
        }
        turns++;
    }
    b[id.x] = turns * 100 + n + 5;
}
