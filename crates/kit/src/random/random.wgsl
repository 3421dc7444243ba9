// Philox 4x32 with ten rounds: four random words from a counter and a key, by multiplications alone.

alias V = u32;

struct Stream { key: vec2<u32>, number: u32, before: u32 }

@group(0) @binding(0) var<uniform> stream: Stream;
@group(0) @binding(1) var<storage, read_write> y: array<V>;

fn number(word: u32) -> V { return word; }

// The upper half of a product of two words.
fn high(a: u32, b: u32) -> u32 {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

fn block(at: u32) -> vec4<u32> {
    var c = vec4(at, 0u, stream.number, 0u);
    var key = stream.key;
    for (var round = 0u; round < 10u; round++) {
        let one = vec2(high(0xd2511f53u, c.x), 0xd2511f53u * c.x);
        let two = vec2(high(0xcd9e8d57u, c.z), 0xcd9e8d57u * c.z);
        c = vec4(two.x ^ c.y ^ key.x, two.y, one.x ^ c.w ^ key.y, one.y);
        key += vec2(0x9e3779b9u, 0xbb67ae85u);
    }
    return c;
}

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
    let first = 4u * id.x;
    let words = block(stream.before + id.x);
    if first < arrayLength(&y) { y[first] = number(words.x); }
    if first + 1u < arrayLength(&y) { y[first + 1u] = number(words.y); }
    if first + 2u < arrayLength(&y) { y[first + 2u] = number(words.z); }
    if first + 3u < arrayLength(&y) { y[first + 3u] = number(words.w); }
}
