// Steps of the Collatz sequence from each number down to 1. The salt is another one each
// time, so that no cache knows the text.

const SALT = 0u;

@group(0) @binding(0) var<storage, read_write> x: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&x) {
        return;
    }
    var n = (x[id.x] ^ SALT) & 0xffffu;
    var steps = 0u;
    while n > 1u {
        if n % 2u == 0u {
            n = n / 2u;
        } else {
            n = 3u * n + 1u;
        }
        steps++;
    }
    x[id.x] = steps;
}
