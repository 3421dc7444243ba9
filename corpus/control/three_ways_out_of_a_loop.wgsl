//! grid 3
//! out b = u32[402, 406, 410, 4438, 4049, 21, 8622, 8658, 8694, 8329, 13502, 4133, 49, 16686, 13533, 23214, 8581,
//!     21158, 4217, 77, 27438, 14289, 24869, 8833]
// Two ways out that lanes take one by one, and one that all who are left take together.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var x = id.x;
    var why = 0u;
    var k = 0u;
    while k < 10 {
        if x % 7 == 5 {
            why = 1u;
            break;
        }
        if k == id.x / 3 {
            x += 100;
            why = 2u;
            break;
        }
        x = x * 3 + k;
        k++;
    }
    b[id.x] = (k * 1000 + x % 1000) * 4 + why;
}
