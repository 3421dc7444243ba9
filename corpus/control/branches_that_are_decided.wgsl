//! grid 2
//! out b = u32[13, 14, 15, 16, 17, 18, 19, 20]
// Conditions that are known before the kernel runs: one side, or a whole loop, is never reached.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const SIZE = 4u;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    if SIZE > 4u {
        x += 1000;
        if id.x > 2 {
            return;
        }
    } else {
        x += 3;
    }
    for (var k = 4u; k < SIZE; k++) {
        x += 100;
    }
    for (var k = 0i; k < 10; k++) {
        x += 1;
    }
    loop {
        if !(SIZE != 4u) {
            break;
        }
        x = 0;
    }
    b[id.x] = x;
}
