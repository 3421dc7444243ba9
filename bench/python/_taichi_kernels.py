"""Taichi reads kernels from files."""

import taichi as ti


@ti.kernel
def saxpy(x: ti.types.ndarray(dtype=ti.f32, ndim=1), y: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        y[i] = 2.0 * x[i] + y[i]


@ti.kernel
def add(x: ti.types.ndarray(dtype=ti.f32, ndim=1)) -> ti.f32:
    total = 0.0
    for i in x:
        total += x[i]
    return total
