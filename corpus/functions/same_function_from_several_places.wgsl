//! grid 2
//! out b = u32[0, 7, 5, 14, 14, 25, 27, 40]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn sum_below(n: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < n; k++) {
        sum += k;
    }
    return sum;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var r = 0u;
    if sum_below(id.x % 2 + 1) == 1 - (1 - id.x % 2) && id.x % 2 == 0 {
        r = sum_below(id.x);
    } else {
        r = sum_below(id.x) + 5;
    }
    b[id.x] = r + 2 * id.x;
}
