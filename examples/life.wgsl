// seawall run examples/life.toml
//
// Conway's Game of Life on a torus: a cell lives on with two or three neighbours, and is born with three.

override width = 256u;

@group(0) @binding(0) var<storage, read> now: array<u32>;
@group(0) @binding(1) var<storage, read_write> next: array<u32>;
@group(0) @binding(2) var<storage, read_write> image: array<u32>;

// A quarter of the cells, picked by a hash of where they are (Wang's, of 32 bits).
fn hash(seed: u32) -> u32 {
    var h = (seed ^ 61u) ^ (seed >> 16u);
    h *= 9u;
    h ^= h >> 4u;
    h *= 0x27d4eb2du;
    return h ^ (h >> 15u);
}

@compute @workgroup_size(64)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&next) {
        next[id.x] = u32(hash(id.x) % 4u == 0u);
    }
}

@compute @workgroup_size(64)
fn step(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&next) {
        return;
    }
    let height = arrayLength(&next) / width;
    let x = id.x % width;
    let y = id.x / width;
    var neighbours = 0u;
    for (var i = 0u; i < 9u; i++) {
        let there = (x + width + i % 3u - 1u) % width + (y + height + i / 3u - 1u) % height * width;
        neighbours += select(now[there], 0u, i == 4u);
    }
    next[id.x] = u32(neighbours == 3u || (neighbours == 2u && now[id.x] == 1u));
}

@compute @workgroup_size(64)
fn paint(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&image) {
        image[id.x] = select(0xff2a1a10u, 0xff7de3ffu, now[id.x] == 1u);
    }
}
