"""Seawall from Python beside NumPy, Numba, Warp and Taichi, on this machine's processors, in one run.

    pip install numpy numba warp-lang taichi
    python bench/python/compare.py [--elements 16777216] [--rounds 40]

Each contestant computes saxpy and a sum of 16 M numbers on arrays of its own that are ready before. They take
turns, and the best time of each counts, so that what else the machine does hits all of them. All results are
compared. A contestant that is not installed is left out by name.
"""

import argparse
import importlib
import json
import time

import numpy as np

import seawall

SAXPY = """
override a: f32 = 2.0;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = a * x[id.x] + y[id.x]; }
}
"""

# Few workgroups that stride through the whole array, as docs/fast.md has it.
SUM = """
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> parts: array<f32>;
var<workgroup> tree: array<f32, 256>;
@compute @workgroup_size(256)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    var sum = 0.0;
    for (var i = id.x; i < arrayLength(&x); i += groups.x * 256u) { sum += x[i]; }
    tree[local] = sum;
    for (var half = 128u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if local < half { tree[local] += tree[local + half]; }
    }
    if local == 0u { parts[group.x] = tree[0]; }
}
"""

PARTS = 1024

# How many times our time a contestant must take at least; a small call, in seconds at the most.
WANTED = {"Numpy": 1.0, "Numba": 1 / 1.2, "Warp": 1.0, "Taichi": 1.0}
SMALL_MAX = 5e-6

# Libraries' threads may go on looking for work for a while after a call.
REST = 0.02


class Numpy:
    def __init__(self, x):
        self.x, self.y, self.spare = x.copy(), np.ones_like(x), np.empty_like(x)

    def saxpy(self):
        np.multiply(self.x, np.float32(2), out=self.spare)
        np.add(self.spare, self.y, out=self.y)

    def sum(self):
        return float(np.sum(self.x))

    def result(self):
        return self.y


class Seawall(Numpy):
    def __init__(self, x):
        super().__init__(x)
        self.kernel, self.add = seawall.kernel(SAXPY), seawall.kernel(SUM)

    def saxpy(self):
        self.kernel(x=self.x, y=self.y, threads=len(self.x))

    def sum(self):
        return float(self.add(x=self.x, parts=seawall.out(PARTS), workgroups=PARTS).sum())


class Numba(Numpy):
    def __init__(self, x):
        super().__init__(x)
        numba = importlib.import_module("numba")

        @numba.njit(parallel=True, fastmath=True)
        def saxpy(x, y):
            for i in numba.prange(len(x)):
                y[i] = np.float32(2) * x[i] + y[i]

        @numba.njit(parallel=True, fastmath=True)
        def add(x):
            sum = np.float32(0)
            for i in numba.prange(len(x)):
                sum += x[i]
            return sum

        self._saxpy, self._add = saxpy, add

    def saxpy(self):
        self._saxpy(self.x, self.y)

    def sum(self):
        return float(self._add(self.x))


class Warp(Numpy):
    def __init__(self, x):
        super().__init__(x)
        import _warp_kernels

        wp = self.wp = importlib.import_module("warp")
        self.kernels = _warp_kernels
        self.x, self.y = (wp.from_numpy(array, device="cpu") for array in (self.x, self.y))

    def saxpy(self):
        self.wp.launch(self.kernels.saxpy, dim=len(self.x), inputs=[self.x, self.y], device="cpu")

    def sum(self):
        return float(self.wp.utils.array_sum(self.x))

    def result(self):
        return self.y.numpy()


class Taichi(Numpy):
    def __init__(self, x):
        super().__init__(x)
        ti = importlib.import_module("taichi")
        ti.init(arch=ti.cpu, log_level=ti.ERROR)
        import _taichi_kernels

        self.kernels = _taichi_kernels

    def saxpy(self):
        self.kernels.saxpy(self.x, self.y)

    def sum(self):
        return float(self.kernels.add(self.x))


def contestants(x):
    for make in (Seawall, Numpy, Numba, Warp, Taichi):
        try:
            yield make.__name__, make(x)
        except ImportError as error:
            print(f"{make.__name__} is left out: {error}")


def race(all, what, rounds):
    """The best time of each. Whose turn is first changes from round to round."""
    times = {name: float("inf") for name, _ in all}
    for _, one in all:
        getattr(one, what)()
    for turn in range(rounds):
        for at in range(len(all)):
            name, one = all[(turn + at) % len(all)]
            time.sleep(REST)
            start = time.perf_counter()
            getattr(one, what)()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def check(all, x, rounds):
    """That all have computed the same."""
    y = 1 + 2 * (rounds + 1) * x.astype(np.float64)
    total = x.sum(dtype=np.float64)
    for name, one in all:
        assert np.allclose(one.result(), y, rtol=1e-5), f"{name}: saxpy gives other numbers"
        # One sum in f32 after the other, as some do it, is off by more than a tree.
        assert abs(one.sum() - total) <= 1e-3 * total, f"{name}: the sum is {one.sum()}, not {total}"


def small_call():
    """A call of 64 invocations on two arrays, in seconds."""
    kernel = seawall.kernel(SAXPY)
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    fastest = float("inf")
    for _ in range(100):
        start = time.perf_counter()
        for _ in range(500):
            kernel(x=x, y=y, threads=64)
        fastest = min(fastest, (time.perf_counter() - start) / 500)
    return fastest


def verdict(name, ratio):
    wanted = WANTED[name]
    return "reached" if ratio >= wanted else f"MISSED: {wanted:.2f} wanted"


def show(results):
    small = results["small call"]
    told = "reached" if small <= SMALL_MAX else "MISSED"
    print(f"{'small call':10}  {'Seawall':8} {1e6 * small:9.2f} us   {told}: {1e6 * SMALL_MAX:.0f} us at the most")
    for what in ("saxpy", "sum"):
        times = results[what]
        ours = times["Seawall"]
        print(f"{what:10}  {'Seawall':8} {1e3 * ours:9.2f} ms")
        for name in WANTED:
            if name in times:
                ratio = times[name] / ours
                print(f"{what:10}  {name:8} {1e3 * times[name]:9.2f} ms {ratio:7.2f} x   {verdict(name, ratio)}")
            else:
                print(f"{what:10}  {name:8} not installed, so not raced")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elements", type=int, default=1 << 24)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    x = np.random.default_rng(7).random(args.elements, dtype=np.float32)
    all = list(contestants(x))
    results = {"small call": small_call()}
    results["saxpy"] = race(all, "saxpy", args.rounds)
    results["sum"] = race(all, "sum", args.rounds)
    check(all, x, args.rounds)
    if args.json:
        print(json.dumps(results))
    else:
        show(results)


if __name__ == "__main__":
    main()
