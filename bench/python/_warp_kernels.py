"""Warp reads kernels from files."""

import warp as wp

wp.config.quiet = True
wp.init()


@wp.kernel
def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 2.0 * x[i] + y[i]
