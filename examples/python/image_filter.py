"""A picture, smoothed along its edges and with its edges drawn: three waves within a memory budget.

    python examples/python/image_filter.py [--size 384] [--out filtered.png] [--plan plan.svg]
"""

import argparse
from pathlib import Path

import numpy as np

import seawall
from picture import save

FILTERS = """
override width: u32;
override height: u32;

@group(0) @binding(0) var<storage, read> image: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> smooth_image: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> edges: array<f32>;
@group(0) @binding(3) var<storage, read_write> drawn: array<vec4<f32>>;

fn place(x: i32, y: i32) -> u32 {
    return u32(clamp(y, 0, i32(height) - 1)) * width + u32(clamp(x, 0, i32(width) - 1));
}

// Each pixel as the mean of those around it that are near in colour, too.
@compute @workgroup_size(16, 4)
fn bilateral(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= width || id.y >= height { return; }
    let here = image[id.y * width + id.x].xyz;
    var sum = vec3(0.0);
    var weight = 0.0;
    for (var dy = -5; dy <= 5; dy++) {
        for (var dx = -5; dx <= 5; dx++) {
            let there = image[place(i32(id.x) + dx, i32(id.y) + dy)].xyz;
            let apart = there - here;
            let w = exp(-f32(dx * dx + dy * dy) / 18.0 - dot(apart, apart) / 0.03);
            sum += w * there;
            weight += w;
        }
    }
    smooth_image[id.y * width + id.x] = vec4(sum / weight, 1.0);
}

fn light(x: i32, y: i32) -> f32 { return dot(image[place(x, y)].xyz, vec3(0.3, 0.59, 0.11)); }

// How much lightness changes, by Sobel.
@compute @workgroup_size(16, 4)
fn sobel(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= width || id.y >= height { return; }
    let x = i32(id.x);
    let y = i32(id.y);
    let across = light(x + 1, y - 1) + 2.0 * light(x + 1, y) + light(x + 1, y + 1)
        - light(x - 1, y - 1) - 2.0 * light(x - 1, y) - light(x - 1, y + 1);
    let down = light(x - 1, y + 1) + 2.0 * light(x, y + 1) + light(x + 1, y + 1)
        - light(x - 1, y - 1) - 2.0 * light(x, y - 1) - light(x + 1, y - 1);
    edges[id.y * width + id.x] = length(vec2(across, down));
}

@compute @workgroup_size(64)
fn compose(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= width * height { return; }
    let ink = smoothstep(0.5, 1.4, edges[id.x]);
    drawn[id.x] = vec4(mix(smooth_image[id.x].xyz, vec3(0.08, 0.08, 0.12), ink), 1.0);
}
"""


def scene(size):
    """Something to look at: discs and stripes, with noise on them."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    image = np.ones((size, size, 4), np.float32)
    image[..., 0], image[..., 1], image[..., 2] = 0.95 - 0.3 * y, 0.8 - 0.2 * y, 0.6 + 0.3 * y
    random = np.random.default_rng(3)
    for _ in range(14):
        cx, cy, r = *random.random(2), 0.05 + 0.13 * random.random()
        inside = (x - cx) ** 2 + (y - cy) ** 2 < r * r
        stripes = (np.sin((x + y * random.uniform(-1, 1)) * random.uniform(30, 90)) > 0)[..., None]
        one, two = random.random(3), random.random(3)
        image[inside, :3] = np.where(stripes, one, two)[inside]
    image[..., :3] += random.normal(0, 0.05, (size, size, 3)).astype(np.float32)
    return np.clip(image, 0, 1)


def build(size, runtime=None):
    program = seawall.program(FILTERS)
    bilateral, sobel, compose = (
        program.kernel(entry, overrides={"width": size, "height": size}, runtime=runtime)
        for entry in ("bilateral", "sobel", "compose")
    )
    # No more than the largest wave takes, so that what is not needed must go in between.
    graph = seawall.Graph(budget=size * size * 36 + 4096)
    graph.input("image", (size, size, 4), np.float32).output("drawn", (size, size, 4), np.float32)
    graph.transient("soft", (size, size, 4), np.float32).transient("edges", (size, size), np.float32)
    graph.wave("bilateral", bilateral, image="image", smooth_image="soft", threads=(size, size))
    graph.wave("sobel", sobel, image="image", edges="edges", threads=(size, size))
    graph.wave("compose", compose, smooth_image="soft", edges="edges", drawn="drawn", threads=size * size)
    return graph


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--out", default="filtered.png")
    parser.add_argument("--plan", help="also draws the plan, as SVG")
    args = parser.parse_args()
    compiled = build(args.size).compile()
    image = scene(args.size)
    finished = compiled(image=image)
    save(args.out, np.concatenate([image[..., :3], finished["drawn"][..., :3]], axis=1))
    if args.plan:
        Path(args.plan).write_text(compiled.plan.svg("image filter"))
    print(f"{args.size} x {args.size} in {1e3 * finished.elapsed:.1f} ms, {compiled.peak_bytes} bytes at most: {args.out}")


if __name__ == "__main__":
    main()
