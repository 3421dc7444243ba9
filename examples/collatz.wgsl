// seawall run examples/collatz.wgsl --in n=iota:1000
//
// How many steps each number takes to 1, where an even n becomes n / 2 and an odd one 3n + 1.

@group(0) @binding(0) var<storage, read_write> n: array<u32>;

fn steps(start: u32) -> u32 {
    var n = start;
    var steps = 0u;
    while n > 1u {
        // Beyond this, 3n + 1 does not fit; no start below a hundred thousand comes here.
        if n % 2u == 1u && n >= 0x55555555u {
            return 0xffffffffu;
        }
        n = select(3u * n + 1u, n / 2u, n % 2u == 0u);
        steps++;
    }
    return steps;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&n) {
        n[id.x] = steps(n[id.x]);
    }
}
