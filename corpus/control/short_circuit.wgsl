//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[420, 516, 518, 516, 518, 518, 519, 519]
var<private> calls = 0u;

fn touch(v: bool) -> bool {
    calls++;
    return v;
}

@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var bits = 0u;
    let x = a[id.x];
    if x > 3 && touch(x > 5) {
        bits |= 1;
    }
    if x > 3 || touch(x == 2) {
        bits |= 2;
    }
    if touch(true) && (x == 0 || touch(false)) {
        bits |= 4;
    }
    if (x > 100) & touch(true) {
        bits |= 8;
    }
    if (x < 100) | touch(true) {
        bits |= 16;
    }
    b[id.x] = calls * 100 + bits;
}
