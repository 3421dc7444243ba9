//! grid 2
//! in a = u32[1, 2, 3, 3735928559, 2463534242, 12345, 99, 4294967295]
//! out b = u32[147405559, 3095973319, 2957113136, 484540676, 3960918577, 591210863, 2746094896, 1357958761]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn next(state: ptr<function, u32>) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var state = a[id.x];
    for (var k = 0; k < 100; k++) {
        next(&state);
    }
    b[id.x] = state;
}
