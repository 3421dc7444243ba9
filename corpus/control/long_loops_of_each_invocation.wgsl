//! grid 12
//! in a = u32[0..9000]
//! in ends = u32[0, 1, 2047, 2048, 8999, 9000, 9001, 20000, 5, 4096, 6000, 9002]
//! out b = u32[0, 0, 0, 1, 1, 1, 3968067454, 2047, 1789718533, 3537316124, 1403, 3884450643, 4230036507, 1402,
//!     4119197293, 480294641, 9000, 1209343514, 541149502, 7298, 3356812233, 99979959, 6502, 2099633955, 8, 8,
//!     8, 1141929691, 4096, 2859693902, 3387211773, 6000, 2242001380, 2485635494, 1408, 1121631589]
//! finds out-of-bounds
// Thousands of turns in each invocation, left by a test of what was read or at a bound that may lie behind the buffer.
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage> ends: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32, 36>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let end = ends[i];
    var sum = i;
    var k = i;
    for (; k < end; k++) {
        sum = sum * 31u + a[k];
        if sum % 5003u == 7u {
            break;
        }
    }
    var other = i;
    for (var j = i * 7u; j < end; j += 3u) {
        other = (other ^ a[j]) * 5u;
    }
    b[i * 3u] = sum;
    b[i * 3u + 1u] = k;
    b[i * 3u + 2u] = other;
}
