// seawall run examples/heat.toml
//
// Heat in a plate by Jacobi's method: each point becomes the mean of its neighbours, until no point
// changes by much. The edge stays as it is.

override width = 128u;
override tolerance = 0.0005;

@group(0) @binding(0) var<storage, read> now: array<f32>;
@group(0) @binding(1) var<storage, read_write> next: array<f32>;
@group(0) @binding(2) var<storage, read_write> moving: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> image: array<u32>;

fn at_edge(i: u32) -> bool {
    let x = i % width;
    let y = i / width;
    return x == 0u || y == 0u || x == width - 1u || y == arrayLength(&next) / width - 1u;
}

// Hot on the left, and warm in a part of the bottom.
@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&next) {
        let x = id.x % width;
        let bottom = id.x / width == arrayLength(&next) / width - 1u;
        next[id.x] = select(select(0.0, 0.7, bottom && x > width / 2u), 1.0, x == 0u);
    }
    if id.x == 0u {
        atomicStore(&moving, 1u);
    }
}

@compute @workgroup_size(1)
fn settle() {
    atomicStore(&moving, 0u);
}

@compute @workgroup_size(64)
fn relax(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&next) {
        return;
    }
    if at_edge(id.x) {
        next[id.x] = now[id.x];
        return;
    }
    let mean = 0.25 * (now[id.x - 1u] + now[id.x + 1u] + now[id.x - width] + now[id.x + width]);
    next[id.x] = mean;
    if abs(mean - now[id.x]) > tolerance {
        atomicStore(&moving, 1u);
    }
}

// Black, red, yellow, white.
@compute @workgroup_size(64)
fn paint(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&image) {
        let heat = 3.0 * sqrt(now[id.x]);
        image[id.x] = pack4x8unorm(vec4(saturate(vec3(heat, heat - 1.0, heat - 2.0)), 1.0));
    }
}
