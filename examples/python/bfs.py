"""How far each cell of a cave is from the entrance: a work queue that the device drains by itself.

    python examples/python/bfs.py [--size 256] [--out bfs.png]
"""

import argparse

import numpy as np

import seawall
from picture import colours, save

VISIT = """
override size: u32 = 256;
@group(0) @binding(0) var<storage, read> rock: array<u32>;
@group(0) @binding(1) var<storage, read_write> distance: array<atomic<u32>>;

fn look(cell: u32, far: u32) {
    if rock[cell] == 0u && atomicMin(&distance[cell], far) > far { frontier_push(cell); }
}

@compute @workgroup_size(64)
fn visit(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= frontier_len() { return; }
    let cell = frontier_item(id.x);
    let far = atomicLoad(&distance[cell]) + 1u;
    if cell % size > 0u { look(cell - 1u, far); }
    if cell % size < size - 1u { look(cell + 1u, far); }
    if cell >= size { look(cell - size, far); }
    if cell < size * (size - 1u) { look(cell + size, far); }
}
"""

UNSEEN = np.uint32(0xFFFFFFFF)


def cave(size):
    """Noise that was smoothed until it looks like a cave, open at the first corner."""
    random = np.random.default_rng(11)
    rock = (random.random((size, size)) < 0.46).astype(np.uint32)
    for _ in range(4):
        around = sum(np.roll(rock, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
        rock = (around >= 5).astype(np.uint32)
    rock[:12, :12] = 0
    return rock


def run(rock, runtime=None):
    size = rock.shape[0]
    visit = seawall.kernel(VISIT, overrides={"size": size}, queues={"frontier": "u32"}, runtime=runtime)
    graph = seawall.Graph()
    graph.input("rock", (size, size), np.uint32).in_out("distance", (size, size), np.uint32)
    graph.queue("cells", 4 * size * size, np.uint32, initial=1)
    with graph.drain("search", "cells"):
        graph.wave("visit", visit, rock="rock", distance="distance", queues={"frontier": "cells"}, items="cells")
    distance = np.full((size, size), UNSEEN)
    distance[0, 0] = 0
    finished = graph.compile(runtime=runtime)(rock=rock, distance=distance, cells=np.zeros(1, np.uint32))
    return distance, finished


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--out", default="bfs.png")
    args = parser.parse_args()
    rock = cave(args.size)
    distance, finished = run(rock)
    reached = distance != UNSEEN
    farthest = int(distance[reached].max())
    bands = (distance % 40) / 40 * 0.15
    shade = np.where(reached, distance / max(farthest, 1), 0)
    image = colours(shade, [(1, 0.95, 0.75), (0.95, 0.55, 0.3), (0.55, 0.15, 0.4), (0.15, 0.05, 0.3)]) - bands[..., None]
    image[~reached] = (0.35, 0.36, 0.4)
    image[rock == 1] = (0.1, 0.1, 0.12)
    save(args.out, image)
    windows = finished.queue("cells")["windows"]
    print(f"{int(reached.sum())} cells, the farthest {farthest} steps away, in {windows} windows: {args.out}")


if __name__ == "__main__":
    main()
