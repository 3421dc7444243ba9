//! grid 2
//! out b = u32[1002, 2003, 3005, 4007, 1011, 2013, 3017, 4019]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

const PRIMES = array<u32, 8>(2, 3, 5, 7, 11, 13, 17, 19);
const ROWS = array(vec2u(10, 20), vec2u(30, 40));

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let at = id.x % 4;
    b[id.x] = PRIMES[id.x] + ROWS[at / 2][at % 2] * 100;
}
