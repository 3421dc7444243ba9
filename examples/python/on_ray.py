"""Kernels on Ray: in tasks, in actors that keep their state on the device, and on batches of a data set.

    pip install "ray[data]"
    python examples/python/on_ray.py
"""

import numpy as np
import ray

import seawall

SQUARE = """
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = x[id.x] * x[id.x]; }
}
"""

ADD = """
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sum: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&sum) { sum[id.x] += x[id.x]; }
}
"""


@ray.remote
def square(kernel, x):
    # What comes from Ray's store is read-only: inputs are used in place, outputs are made.
    return kernel(x=x, threads=len(x))


@ray.remote
class Sum:
    """Keeps a sum on the device, from call to call."""

    def __init__(self, size):
        self.kernel = seawall.kernel(ADD)
        self.sum = seawall.Buffer(size, np.float32)

    def add(self, x):
        self.kernel(x=x, sum=self.sum, over="sum")

    def get(self):
        return self.sum.numpy()


class Squares:
    """For `map_batches`: made once for each worker, called for each batch."""

    def __init__(self):
        self.kernel = seawall.kernel(SQUARE)

    def __call__(self, batch):
        x = np.ascontiguousarray(batch["x"], dtype=np.float32)
        return {"x": x, "y": self.kernel(x=x, threads=len(x))}


def tasks(n=100_000):
    x = np.arange(n, dtype=np.float32)
    kernel = seawall.kernel(SQUARE)
    parts = ray.get([square.remote(kernel, part) for part in np.array_split(x, 4)])
    return bool(np.array_equal(np.concatenate(parts), x * x))


def actors(n=1000):
    adder = Sum.remote(n)
    for i in range(5):
        adder.add.remote(np.full(n, i, np.float32))
    return bool((ray.get(adder.get.remote()) == 10).all())


def batches(n=10_000):
    rows = ray.data.range(n).map_batches(lambda batch: {"x": batch["id"].astype(np.float32)})
    squares = rows.map_batches(Squares, compute=ray.data.ActorPoolStrategy(size=1), batch_size=1000)
    found = {int(row["x"]): row["y"] for row in squares.iter_rows()}
    return found == {i: float(np.float32(i) * np.float32(i)) for i in range(n)}


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("tasks are right:", tasks())
    print("actors are right:", actors())
    print("batches are right:", batches())
    ray.shutdown()


if __name__ == "__main__":
    main()
