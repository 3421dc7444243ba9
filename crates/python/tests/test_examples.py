"""The examples compute what they should, against plain NumPy."""

import sys
from collections import deque
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = str(Path(__file__).parents[3] / "examples/python")
sys.path.insert(0, EXAMPLES)


def test_bfs():
    import bfs

    rock = bfs.cave(48)
    distance, finished = bfs.run(rock)
    expected = np.full((48, 48), bfs.UNSEEN)
    expected[0, 0] = 0
    cells = deque([(0, 0)])
    while cells:
        y, x = cells.popleft()
        for at in [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]:
            if 0 <= min(at) and max(at) < 48 and not rock[at] and expected[at] == bfs.UNSEEN:
                expected[at] = expected[y, x] + 1
                cells.append(at)
    assert np.array_equal(distance, expected)
    assert finished.queue("cells")["items"] >= (expected != bfs.UNSEEN).sum()


def test_nbody():
    import nbody

    stars, seen = nbody.run(64, 4)
    at, speed, mass = stars["at"][:, :3].astype(np.float64), stars["speed"][:, :3].astype(np.float64), stars["mass"]
    for _ in range(4):
        apart = at[None] - at[:, None]
        near = (apart**2).sum(-1) + 0.0025
        speed = speed + 0.004 * (mass[None, :, None] * apart * (near**-1.5)[..., None]).sum(1)
        at = at + 0.004 * speed
    assert np.allclose(seen[-1]["at"][:, :3], at, atol=1e-4)


def test_reaction_diffusion():
    import reaction_diffusion

    field, finished = reaction_diffusion.run(32, 5)
    assert finished.turns("steps") == 5
    before, _ = reaction_diffusion.run(32, 0)
    f = before.astype(np.float64)

    def roll(dy, dx):
        return np.roll(f, (dy, dx), (0, 1))

    for _ in range(5):
        near = roll(0, 1) + roll(0, -1) + roll(1, 0) + roll(-1, 0)
        far = roll(1, 1) + roll(1, -1) + roll(-1, 1) + roll(-1, -1)
        eaten = f[..., 0] * f[..., 1] ** 2
        change = np.stack([0.037 * (1 - f[..., 0]) - eaten, eaten - 0.097 * f[..., 1]], -1)
        f = f + np.array([1.0, 0.5]) * (0.2 * near + 0.05 * far - f) + change
    assert np.allclose(field, f, atol=1e-4)


def test_image_filter():
    import image_filter

    compiled = image_filter.build(32).compile()
    flat = np.full((32, 32, 4), 0.5, np.float32)
    drawn = compiled(image=flat)["drawn"]
    assert np.allclose(drawn[..., :3], 0.5, atol=1e-5)
    assert compiled.peak_bytes <= 32 * 32 * 36 + 4096


def test_dask():
    pytest.importorskip("dask.array")
    import on_dask

    assert on_dask.on_blocks(256, 64)
    assert on_dask.on_halos(128, 64) < 1e-6


@pytest.mark.filterwarnings("ignore")
def test_dask_on_a_cluster():
    distributed = pytest.importorskip("distributed")
    import on_dask

    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        assert on_dask.on_blocks(256, 64)
        assert on_dask.on_halos(128, 64) < 1e-6


@pytest.mark.filterwarnings("ignore")
def test_ray():
    ray = pytest.importorskip("ray")
    import on_ray

    # Workers find classes by the modules that they are from.
    there = {"env_vars": {"PYTHONPATH": EXAMPLES}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=there)
    try:
        assert on_ray.tasks() and on_ray.actors() and on_ray.batches(2000)
    finally:
        ray.shutdown()
