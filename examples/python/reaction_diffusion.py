"""Two chemicals that spread and feed on each other: the Gray-Scott model.

A graph with a loop: the device goes through all the steps by itself, and the two fields change places at
the end of each turn at no cost.

    python examples/python/reaction_diffusion.py [--size 256] [--steps 4000] [--out reaction.png]
"""

import argparse

import numpy as np

import seawall
from picture import colours, save

STEP = """
override feed: f32 = 0.037;
override kill: f32 = 0.060;
override size: u32 = 256;

@group(0) @binding(0) var<storage, read> now: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> next: array<vec2<f32>>;

fn at(x: u32, y: u32) -> vec2<f32> { return now[(y % size) * size + x % size]; }

@compute @workgroup_size(16, 4)
fn step(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= size || id.y >= size { return; }
    let x = id.x + size;
    let y = id.y + size;
    let here = at(x, y);
    let near = at(x - 1u, y) + at(x + 1u, y) + at(x, y - 1u) + at(x, y + 1u);
    let far = at(x - 1u, y - 1u) + at(x + 1u, y - 1u) + at(x - 1u, y + 1u) + at(x + 1u, y + 1u);
    let spread = vec2(1.0, 0.5) * (0.2 * near + 0.05 * far - here);
    let eaten = here.x * here.y * here.y;
    let change = vec2(feed * (1.0 - here.x) - eaten, eaten - (feed + kill) * here.y);
    next[id.y * size + id.x] = here + spread + change;
}
"""


def run(size=256, steps=4000, runtime=None):
    kernel = seawall.kernel(STEP, overrides={"size": size}, runtime=runtime)
    graph = seawall.Graph()
    graph.in_out("field", (size, size, 2), np.float32).transient("other", (size, size, 2), np.float32)
    with graph.repeat("steps", times=steps):
        graph.wave("step", kernel, now="field", next="other", threads=(size, size))
        graph.swap("field", "other")
    field = np.zeros((size, size, 2), np.float32)
    field[..., 0] = 1
    random = np.random.default_rng(1)
    for x, y in random.integers(0, size - 8, (size // 8, 2)):
        field[y : y + 8, x : x + 8] = (0.5, 0.25)
    finished = graph.compile(runtime=runtime)(field=field)
    return field, finished


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--out", default="reaction.png")
    args = parser.parse_args()
    field, finished = run(args.size, args.steps)
    shade = np.clip(field[..., 1] / 0.35, 0, 1)
    save(args.out, colours(shade, [(0.04, 0.05, 0.14), (0.08, 0.36, 0.5), (0.5, 0.8, 0.62), (1, 0.96, 0.8)]))
    print(f"{args.steps} steps of {args.size} x {args.size} cells in {finished.elapsed:.2f} s: {args.out}")


if __name__ == "__main__":
    main()
