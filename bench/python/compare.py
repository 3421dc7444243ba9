"""Seawall from Python beside NumPy, Numba, Warp and Taichi, on this machine's processors, in one run.

    pip install numpy numba warp-lang taichi
    python bench/python/compare.py [--elements 16777216] [--rounds 15]

Each contestant computes saxpy and a sum of 16 M numbers on arrays of its own that are ready before. Rounds are
interleaved and the best of each counts, so that what else the machine does hits all of them. All results are compared.
A contestant that is not installed is left out by name.
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

SUM = """
override each: u32 = 64;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> parts: array<f32>;
var<workgroup> sums: array<f32, 256>;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    var sum = 0.0;
    for (var i = 0u; i < each; i++) { sum += x[(group.x * each + i) * 256u + local]; }
    sums[local] = sum;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half /= 2u) {
        if local < half { sums[local] += sums[local + half]; }
        workgroupBarrier();
    }
    if local == 0u { parts[group.x] = sums[0]; }
}
"""


class Numpy:
    def __init__(self, n):
        self.x, self.y, self.spare = np.ones(n, np.float32), np.ones(n, np.float32), np.empty(n, np.float32)

    def saxpy(self):
        np.multiply(self.x, np.float32(2), out=self.spare)
        np.add(self.spare, self.y, out=self.y)

    def sum(self):
        return float(np.sum(self.x))

    def first(self):
        return float(self.y[0])


class Seawall(Numpy):
    def __init__(self, n):
        super().__init__(n)
        self.kernel, self.add = seawall.kernel(SAXPY), seawall.kernel(SUM)
        self.parts = np.zeros(n // (256 * 64), np.float32)

    def saxpy(self):
        self.kernel(x=self.x, y=self.y, threads=len(self.x))

    def sum(self):
        self.add(x=self.x, parts=self.parts, workgroups=len(self.parts))
        return float(self.parts.sum())


class Numba(Numpy):
    def __init__(self, n):
        super().__init__(n)
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
    def __init__(self, n):
        super().__init__(n)
        import _warp_kernels

        wp = self.wp = importlib.import_module("warp")
        self.kernels = _warp_kernels
        self.x, self.y = (wp.from_numpy(np.ones(n, np.float32), device="cpu") for _ in range(2))
        self.total = wp.zeros(1, dtype=float, device="cpu")

    def saxpy(self):
        self.wp.launch(self.kernels.saxpy, dim=len(self.x), inputs=[self.x, self.y], device="cpu")

    def sum(self):
        return float(self.wp.utils.array_sum(self.x))

    def first(self):
        return float(self.y.numpy()[0])


class Taichi(Numpy):
    def __init__(self, n):
        super().__init__(n)
        ti = importlib.import_module("taichi")
        ti.init(arch=ti.cpu, log_level=ti.ERROR)
        import _taichi_kernels

        self.kernels = _taichi_kernels

    def saxpy(self):
        self.kernels.saxpy(self.x, self.y)

    def sum(self):
        return float(self.kernels.add(self.x))


def contestants(n):
    for make in (Seawall, Numpy, Numba, Warp, Taichi):
        try:
            yield make.__name__, make(n)
        except ImportError as error:
            print(f"{make.__name__} is left out: {error}")


def best(all, what, rounds):
    times = {name: float("inf") for name, _ in all}
    for name, one in all:
        getattr(one, what)()
    for _ in range(rounds):
        for name, one in all:
            start = time.perf_counter()
            getattr(one, what)()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def small_call():
    """A call of 64 invocations on two arrays, in seconds."""
    kernel = seawall.kernel(SAXPY)
    x, y = np.ones(64, np.float32), np.ones(64, np.float32)
    fastest = float("inf")
    for _ in range(40):
        start = time.perf_counter()
        for _ in range(1000):
            kernel(x=x, y=y, threads=64)
        fastest = min(fastest, (time.perf_counter() - start) / 1000)
    return fastest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elements", type=int, default=1 << 24)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    all = list(contestants(args.elements))
    results = {"small call": {"Seawall": small_call()}}
    results["saxpy"] = best(all, "saxpy", args.rounds)
    results["sum"] = best(all, "sum", args.rounds)
    turns = 1 + 2 * (args.rounds + 1)
    for name, one in all:
        assert one.first() == turns, f"{name}: saxpy gives {one.first()}, not {turns}"
        assert abs(one.sum() - args.elements) <= 1e-3 * args.elements, f"{name}: the sum is {one.sum()}"
    if args.json:
        print(json.dumps(results))
        return
    for what, times in results.items():
        ours = times["Seawall"]
        for name, seconds in times.items():
            print(f"{what:12} {name:8} {1e6 * seconds:12.1f} us   {seconds / ours:6.2f} of Seawall's")


if __name__ == "__main__":
    main()
