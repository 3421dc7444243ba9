//! threads 18
//! in a = u32[11, 48, 85, 21, 58, 95, 31, 68, 4, 41, 78, 14, 51, 88, 24, 61, 98, 34]
//! out a = u32[4, 11, 14, 21, 24, 31, 34, 41, 48, 51, 58, 61, 68, 78, 85, 88, 95, 98]
//! out changed = u32[12]
//! out turns = u32[14]
//! finds race-same-value
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> changed: u32;
@group(0) @binding(2) var<storage, read_write> turns: u32;

// Neighbours change places, the even pairs and the odd ones in turn, until all are in order.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&a);
    var turn = 0u;
    loop {
        let i = 2 * id.x + turn % 2;
        turn++;
        if i + 1 < n {
            let x = a[i];
            if x > a[i + 1] {
                a[i] = a[i + 1];
                a[i + 1] = x;
                changed = turn;
            }
        }
        gridBarrier();
        if turn >= changed + 2 {
            break;
        }
        gridBarrier();
    }
    if id.x == 0 {
        turns = turn;
    }
}
