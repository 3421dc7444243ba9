//! grid 3
//! in p = u32[2, 5]
//! out b = u32[7, 6, 5, 4, 3, 2]
struct Params { rounds: u32, add: u32 }
var<immediate> p: Params;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&b);
    b[id.x] = id.x;
    for (var k = 0u; k < p.rounds; k++) {
        gridBarrier();
        let other = b[n - 1 - id.x];
        gridBarrier();
        b[id.x] = other + select(0u, p.add - 3, k == 0);
    }
    // Turned round twice, and two added once.
    gridBarrier();
    let last = b[n - 1 - id.x];
    gridBarrier();
    b[id.x] = last;
}
