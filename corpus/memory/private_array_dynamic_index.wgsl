//! grid 2
//! out b = u32[45, 31, 72, 54, 37, 81, 63, 43]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> squares: array<u32, 8>;

fn fill(offset: u32) {
    for (var k = 0u; k < 8; k++) {
        squares[k] = k * k + offset;
    }
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    fill(id.x);
    var sum = 0u;
    for (var k = 0u; k < 8; k++) {
        if (k + id.x) % 3 == 0 {
            sum += squares[k];
        }
    }
    b[id.x] = sum;
}
