//! grid 2
//! out b = u32[0, 1, 2, 3, 4, 5, 6, 7]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> sums: array<u32, 8>;

// Nothing is ever written to the array, so that both arms of the branch bring the same zero.
fn fill(offset: u32) {
    for (var k = 4294967295u; k < 33; k++) {
        sums[k] = k * k + offset;
    }
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    fill(id.x);
    var sum = 0u;
    for (var k = 0u; k < 8; k++) {
        if (k + id.x) % 3 == 0 {
            sum += sums[k];
        }
    }
    b[id.x] = sum + id.x;
    storageBarrier(); // redundant
}
